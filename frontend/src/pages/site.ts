/** For pages that need the site's styles and nothing more than a tidy browser. */
import "../styles/app.css";
import { tidyStoredSession } from "../lib/stored-session";

tidyStoredSession();
