/** For pages that need the site's styles and nothing more than a tidy browser. */
import "../styles/app.css";
import { guardForms } from "../lib/guarded-forms";
import { tidyStoredSession } from "../lib/stored-session";

tidyStoredSession();
guardForms();
