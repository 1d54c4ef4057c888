/**
 * The script of the public pages: a few KB, no React. Pages are complete without it; templates say
 * with data attributes what it may improve.
 *
 * Countdown   <span data-countdown="2026-11-24T23:00:00Z">1d 4h 12m</span>
 *             Rewritten each minute, each second in the last one. At zero every [data-preorder] inside
 *             the nearest [data-offer] is switched off and reads 'Offer Expired', and the offer's
 *             progress is asked for at once.
 * Badge       <span class="badge badge-active" data-badge>Active</span> inside [data-offer]: reads Expired with it.
 * Progress    <section data-offer data-progress-url="/api/specials/{id}/progress"> … </section>
 *             Asked for every 5 s while the page is visible. On a list the address is that of all,
 *             and each offer inside says which it is:
 *             <ul data-progress-url="/api/specials/progress"><li data-offer data-special="{id}"> … </li></ul>
 *             One that is sold out has [data-full]: when that is no longer so, or not yet, the page is
 *             asked for, and the offer becomes what it says there.
 *             Inside an offer: one .seats (see seats.css; redrawn), [data-sentence],
 *             [data-current] (pre-orders), [data-when-full] (shown while it is sold out), [data-when-free] (hidden then), in the former [data-if-being-ordered] or [data-if-sold], whichever is true.
 *             The offer's [data-seats-state] is rewritten so that CSS can follow.
 *             The page of an offer also counts a visit, once per browser session.
 * Copy        <button data-copy="https://…">Copy link</button>   says 'Copied!' for 2 s.
 * Share       <button data-share="https://…" data-share-title="Osso buco">Share</button>
 *             The device's own sharing where there is one, otherwise copies.
 * Order form  <form data-order-form data-unit-cents="1800" data-tax-rate-bp="800"> with
 *             <input name="quantity" type="number" min="1" max="20">, optional [data-step="-1"] and
 *             [data-step="1"] buttons (rendered hidden; shown when the script runs), [data-subtotal],
 *             [data-tax], [data-total], <input type="hidden" name="totalAmount">.
 *             On submit the button <button data-busy="Creating your pre-order…"> shows it is busy, a
 *             second submit is blocked until the browser leaves. Who
 *             comes back to it from the payment gets the page again, with the order that waits.
 *             With data-retry-after="3" it is sent again after 3 s, unless the guest changes it.
 * Steps       <form data-steps> with one number field: its [data-step] buttons count up and down.
 *             A [data-missing] field that isn't filled in says so, and nothing is sent.
 *             Below the error of too large a number, [data-take="Set to"] sets the largest, as in the order form.
 * Sheet       <div data-sheet-form><form id="pre-order"> … </form></div> opens as a sheet on phones from
 *             <a data-open-sheet href="#pre-order">, at once where it [data-stands] with errors.
 * Problems    <div id="problems" role="alert" tabindex="-1"> with a list of links to the form's fields: the first
 *             field that is wrong gets the focus, or it, if something isn't about a field.
 * Email       <div class="field"> … <input type="email"></div>: a likely slip is asked about below it, also
 *             in the cart, by what <meta name="email-typos"> names.
 * Way back    <a href="/specials" data-back-to-list>Specials</a>: to the list that the
 *             guest came from, such as in another language or with a diet chosen.
 * Picture     <div class="media"><img …></div>: a picture that fails becomes the drawn plate.
 * Cart        <button data-add-to-cart="{id}" data-name data-cents="1800" data-most="20" hidden> is shown
 *             where the page has a [data-cart="{restaurant id}"] with [data-open-cart] (the bar) and
 *             [data-cart-notice]. In an order form it takes the form's portions, time and wishes along.
 *             The cart itself (data-script, data-styles, and what its <template> links) is loaded when
 *             it is opened.
 * Express     <div data-express="…/express.js" data-offer-id data-name data-cents="1800" hidden> in an order form:
 *             Apple Pay and Google Pay stand there as soon as the guest turns to the form.
 * With yours  <p data-with-yours hidden></p> says what the chosen portions do for a special that is short;
 *             their places in its .seats are marked [data-yours].
 * Push        <button data-push-key="…" data-push-start="/api/…" data-push-stop="/api/…" hidden> see push.ts.
 * Own orders  <div data-own-order="/order/…" data-code data-name data-day="2026-11-25" data-when>
 *             On the page of an order this browser may change, for it and those ordered with it, and on
 *             that of a waitlist entry: they are remembered on the device, with [data-ended] not as one to come.
 *             Every [data-own-orders], hidden, lists them in its <ul>.
 * Messages    <p data-live role="status" class="visually-hidden"></p> (optional) hears what is said aloud.
 */
import "@/styles/public.css";
import { startCart } from "@/features/storefront/cart";
import { startCopyButtons } from "@/features/storefront/copy";
import { startCountdowns } from "@/features/storefront/countdowns";
import { startExpress } from "@/features/storefront/express";
import { leadToProblems } from "@/features/storefront/form-problems";
import { startOrderForms } from "@/features/storefront/order-form";
import { startOrderSheet } from "@/features/storefront/order-sheet";
import { replaceBrokenPictures } from "@/features/storefront/pictures";
import { startProgress } from "@/features/storefront/progress";
import { startPush } from "@/features/storefront/push";
import { loadOwnOrders } from "@/features/storefront/remembered";
import { startStepForms } from "@/features/storefront/steps";
import { loadTypoWatch } from "@/features/storefront/typo-watch";
import { carrySharedBy, countVisit } from "@/features/storefront/visits";
import { leadBackToList } from "@/features/storefront/way-back";

const askForProgress = startProgress();
startCountdowns(askForProgress);
startCopyButtons();
startOrderForms();
startStepForms();
startExpress();
startOrderSheet();
leadToProblems();
loadTypoWatch();
replaceBrokenPictures();
carrySharedBy();
countVisit();
loadOwnOrders();
startCart();
startPush();
leadBackToList();
