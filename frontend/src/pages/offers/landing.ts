/** The front door: one field, and an example to play with. */
import "../../styles/app.css";
import { startLandingForm } from "../../features/accounts/lib/landing-form";
import { startBoard } from "../../features/storefront/board";
import { clearAdminFlags, tidyStoredSession } from "../../lib/stored-session";

tidyStoredSession();
clearAdminFlags();
startLandingForm();
startBoard();
