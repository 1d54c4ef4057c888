/** On the page of a waitlist entry: <p data-once="done">, what `?done=…` shows, is not shown again after a reload. */
import { forgetWelcome } from "@/features/storefront/once";

forgetWelcome();
