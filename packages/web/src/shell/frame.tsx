import { Activity, Archive, Bot, CirclePlay, FolderTree, House, MessagesSquare, Search, Settings2, Sparkles, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ConnectionLight } from './connection-light.tsx';
import './frame.css';
import { useNarrow } from '../features/sessions/narrow.ts';
import { useBeside } from '../shared/beside.ts';
import { useOpenPalette } from './palette-context.ts';
import { Panel } from './panel.tsx';
import { StandingStrip } from './standing-strip.tsx';

type Place = { readonly to: string; readonly label: string; readonly icon: LucideIcon };

const PLACES: readonly Place[] = [
  { to: '/', label: 'Home', icon: House },
  { to: '/sessions', label: 'Sessions', icon: FolderTree },
  { to: '/runs', label: 'Runs', icon: CirclePlay },
  { to: '/sidebars', label: 'Sidebars', icon: MessagesSquare },
  { to: '/archive', label: 'Archive', icon: Archive },
  { to: '/gold', label: 'GOLD', icon: Sparkles },
  { to: '/agents', label: 'Agents', icon: Bot },
  { to: '/health', label: 'Health', icon: Activity },
  { to: '/settings', label: 'Settings', icon: Settings2 },
];

/** The frame around every view. */
export const Frame = ({ banners, tray, children }: { readonly banners: ReactNode; readonly tray?: ReactNode; readonly children: ReactNode }) => {
  const beside = useBeside();
  const isNarrow = useNarrow();
  const [path] = useLocation();
  const openPalette = useOpenPalette();
  const main = useRef<HTMLElement>(null);
  const [, part = ''] = path.split('/');
  const shown = useRef(path);
  // Moves focus to the new view, so that keyboard and screen reader users are not left on the link.
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="frame">
      <a
        className="frame-skip"
        href="#main"
        onClick={(event) => {
          // PAGE-159: if there is a conversation, skip to it.
          const step = main.current?.querySelector<HTMLElement>('[role=feed] article[tabindex="0"]') ?? null;
          if (step === null) return;
          event.preventDefault();
          step.focus();
        }}
      >
        Skip to content
      </a>
      <header className="frame-bar">
        <Link href="/" className="frame-brand" aria-label="Yarnboard, home">
          <img src="/icon.svg" alt="" width="24" height="24" />
          <span className="frame-name">Yarnboard</span>
        </Link>
        <button type="button" className="frame-search" onClick={openPalette} aria-keyshortcuts="Control+K">
          <Search aria-hidden />
          <span className="one-line">Search everything</span>
          <kbd>Ctrl K</kbd>
        </button>
        {tray}
        <ConnectionLight />
      </header>
      <StandingStrip />
      <nav className="frame-nav" aria-label="Main">
        {PLACES.map(({ to, label, icon: Icon }) => {
          const isHere = to === '/' ? path === '/' : part === to.slice(1);
          return (
            <Link key={to} href={to} className="frame-place" aria-current={isHere ? 'page' : undefined}>
              <Icon aria-hidden />
              <span>{label}</span>
            </Link>
          );
        })}
      </nav>
      <div className="frame-middle">
        <main id="main" ref={main} className="frame-main" tabIndex={-1} inert={isNarrow && beside !== null && beside.shown !== null}>
          {banners}
          <div className="frame-view">{children}</div>
        </main>
        {beside === null ? null : <Panel beside={beside} />}
      </div>
    </div>
  );
};
