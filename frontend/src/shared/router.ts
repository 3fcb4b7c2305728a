/** The only door to the router: what the site uses of it, and nothing else. */
export {
  BrowserRouter,
  matchPath,
  Outlet,
  Route,
  Routes,
  StaticRouter,
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
} from 'react-router-dom';
