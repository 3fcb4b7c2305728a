import './submissions.css';
import './money.css';
import './sheets.css';
import './deadlines.css';
