import { CopyButton } from "@/ui/copy-button";

/** The address of the page with all of the restaurant's offers. */
export function MenuLink({ url }: { url: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-surface px-4 py-3">
      <p className="min-w-0 max-w-none flex-[1_1_14rem]">
        <span className="small muted block">Your specials page</span>
        <a href={url} target="_blank" rel="noopener" className="break-all">
          {url}
        </a>
      </p>
      <CopyButton text={url} label="Copy link" accessibleLabel="Copy link to your specials page" />
    </div>
  );
}
