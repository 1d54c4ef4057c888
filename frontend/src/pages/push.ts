/** The owner's page of notices: the site's styles, and the button for messages on this device. */
import "../styles/app.css";
import { startPush } from "../features/storefront/push";
import { guardForms } from "../lib/guarded-forms";
import { tidyStoredSession } from "../lib/stored-session";

tidyStoredSession();
guardForms();
startPush();
