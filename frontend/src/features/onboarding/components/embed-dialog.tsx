import { Dialog } from "@/ui/dialog";
import { EmbedGuide } from "./embed-guide";

interface EmbedDialogProps {
  open: boolean;
  onClose: () => void;
  restaurantName: string;
  menuUrl: string;
  embedUrl: string;
}

/** How to show the specials on an existing site; the web address stays. */
export function EmbedDialog({ open, onClose, ...guide }: EmbedDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Learn about embedding"
      description="You can show your specials on any site you own. Your web address stays the same."
    >
      <EmbedGuide {...guide} />
    </Dialog>
  );
}
