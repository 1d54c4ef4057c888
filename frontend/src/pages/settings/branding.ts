/** The owner's page of its pages' look: a color picker that knows contrast, and chosen pictures. */
import "../../styles/app.css";
import { startBrandForm } from "../../features/settings/lib/brand-form";
import { guardForms } from "../../lib/guarded-forms";
import { tidyStoredSession } from "../../lib/stored-session";

tidyStoredSession();
guardForms();
startBrandForm();
