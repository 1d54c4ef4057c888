import { Component, type ReactNode } from "react";

/** Catches what an island throws while rendering and says what to do. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="wrap py-8">
        <div className="notice notice-berry" role="alert">
          <div className="stack">
            <p>
              <strong>This part of the page stopped working.</strong> Everything you saved is safe.
              Reload the page. If it happens again, tell us what you were doing.
            </p>
            <button
              type="button"
              className="button self-start"
              onClick={() => window.location.reload()}
            >
              Reload page
            </button>
          </div>
        </div>
      </div>
    );
  }
}
