/** Placeholder rows while a list loads. */
export function SkeletonRows({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="stack py-4">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex items-center gap-4">
          <span className="skeleton size-14" />
          <span className="grid flex-1 gap-2">
            <span className="skeleton h-4 w-2/3" />
            <span className="skeleton h-4 w-1/3" />
          </span>
        </div>
      ))}
    </div>
  );
}
