/**
 * What the page of an order does besides the script of all public pages (public.ts), and its styles.
 *
 * Outcome     <p data-look-again="4" data-address="/order/…"> on the page of an order that changes by
 *             itself: it is asked for every 4 s, and loaded again once its [data-outcome] reads otherwise.
 * Closing     <div data-offer data-look-once-closed="4" data-address="/order/…"> around the countdown of an order
 *             that is open: once orders close, [data-while-open] is hidden, [data-when-closed] shown, and the
 *             page loaded again as soon as it reads otherwise, unless a form in it is open.
 * Parts       <section data-part="friends"> of an order that is open takes what the server says of it now, as
 *             soon as the progress of its special is another, unless a form in it is in use, and except [data-stays].
 * Once        <div data-once="done">: what `?done=…` shows is not shown again after a reload.
 * Folds       <details id="cancel"> is opened by a link to #cancel, which the page may have been opened with;
 *             <a data-close-fold href="/order/…"> in it closes it.
 * Change      <form data-held-cents data-unit-cents data-tax-rate> says the total of the number that is chosen, what
 *             becomes of the hold, and on its [data-change-to] what would change;
 *             [data-has-to-move] is shown where the order's time lacks room for that number.
 * Note        <p data-note-mentions="milk,leche"> in a form is shown while its note mentions one of the words.
 * Answer      <form data-send-once="good"> sends the answer that was pressed in an email.
 */
import "@/styles/order.css";
import { startChangeForm } from "@/features/storefront/change-form";
import { startChangedParts } from "@/features/storefront/changed-parts";
import { openFolds } from "@/features/storefront/folds";
import { watchNote } from "@/features/storefront/note-warnings";
import { forgetWelcome, sendAnswer } from "@/features/storefront/once";
import { startClosing, startOutcome } from "@/features/storefront/outcome";

openFolds();
startOutcome();
startClosing();
startChangedParts();
startChangeForm();
forgetWelcome();
sendAnswer();
for (const form of document.forms) watchNote(form);
