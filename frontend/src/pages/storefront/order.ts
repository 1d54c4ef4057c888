/**
 * What the page of an order does besides the script of all public pages (public.ts), and its styles.
 *
 * Outcome     <p data-look-again="4" data-address="/order/…"> on the page of an order that changes by
 *             itself: it is asked for every 4 s, and loaded again once its [data-outcome] reads otherwise.
 * Once        <div data-once="done">: what `?done=…` shows is not shown again after a reload.
 * Answer      <form data-send-once="good"> sends the answer that was pressed in an email.
 */
import "@/styles/order.css";
import { forgetWelcome, sendAnswer } from "@/features/storefront/once";
import { startOutcome } from "@/features/storefront/outcome";

startOutcome();
forgetWelcome();
sendAnswer();
