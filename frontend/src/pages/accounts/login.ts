/** Signing in: a plain form that this script only makes more comfortable. */
import "../../styles/app.css";
import { startForgotPassword } from "../../features/accounts/lib/forgot-password-dialog";
import { startSignInForm } from "../../features/accounts/lib/sign-in-form";
import { clearUser, tidyStoredSession } from "../../lib/stored-session";

tidyStoredSession();
clearUser(); // whoever sees this page is signed out
startSignInForm();
startForgotPassword();
