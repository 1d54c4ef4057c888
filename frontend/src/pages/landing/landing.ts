/** The start page: one field, and an example to play with. */
import "@/styles/app.css";
import { startBoard } from "@/features/landing/board";
import { startLandingForm } from "@/features/landing/landing-form";
import { clearAdminFlags, rememberDestination, tidyStoredSession } from "@/lib/stored-session";

tidyStoredSession();
clearAdminFlags();
startLandingForm();
// A page that needs a sign-in has sent the person here.
const intended = new URLSearchParams(location.search).get("next");
if (intended) rememberDestination(intended);
startBoard();
