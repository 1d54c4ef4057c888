/** Loaded by the public pages' script when a field for an email address gets the focus: see typo-watch.ts. */
import { watchForTypos } from "@/features/storefront/email-typos";

watchForTypos();
