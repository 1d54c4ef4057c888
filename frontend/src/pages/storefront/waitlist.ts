/**
 * What the page of a waitlist entry does besides the script of all public pages (public.ts), and its styles, which are
 * those of an order.
 *
 * Once        <p data-once="done">: what `?done=…` shows is not shown again after a reload.
 * Change      <form data-held-cents data-unit-cents data-tax-rate> says the total of the number that is chosen, and
 *             on its [data-change-to] what would change.
 * Turn        [data-look-again] and [data-look-once-closed]: the page is loaded again once it is the guest's turn, and
 *             once the turn is over, see outcome.ts.
 * Folds       <details id="email"> is opened by a link to #email.
 * Back        whoever comes back from where a form led to finds the page at its top.
 */
import "@/styles/order.css";
import { startChangeForm } from "@/features/storefront/change-form";
import { openFolds } from "@/features/storefront/folds";
import { forgetWelcome, startAtTopAfterSending } from "@/features/storefront/once";
import { startClosing, startOutcome } from "@/features/storefront/outcome";

openFolds();
startChangeForm();
forgetWelcome();
startAtTopAfterSending();
startOutcome();
startClosing();
