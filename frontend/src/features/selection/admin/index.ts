import './pile.css';
