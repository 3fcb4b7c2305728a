import './shelf.css';
