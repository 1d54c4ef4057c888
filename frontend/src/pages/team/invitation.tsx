import "@/styles/app.css";
import { AcceptInvitation } from "@/features/team/components/accept-invitation";
import { mountIsland } from "@/islands/mount";

mountIsland("team/invitation", AcceptInvitation);
