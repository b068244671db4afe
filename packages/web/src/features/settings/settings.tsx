import { EyeOff, KeyRound, LogOut, Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import { useActor, useAsk } from '../../live/hooks.tsx';
import { TOKEN_KEY } from '../../live/token.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { THEMES, useTheme, type Theme } from '../../ui/theme.tsx';
import { counted } from '../../ui/wording.ts';
import { CheckPolicy } from '../claims/check-policy.tsx';
import { NotificationSwitch } from '../home/notification-switch.tsx';
import { Answered, Section } from '../../shared/section.tsx';
import { AutomaticMerges } from './automatic-merges.tsx';
import { Fact, Facts } from './facts.tsx';
import './settings.css';
import { STATES } from './states.ts';

/** PAGE-54: the user's settings for this browser, and the server's configuration. */
export const Settings = () => (
  <Page title="Settings" intro="settings">
    <Appearance />
    <Section title="Notifications">
      <div className="settings-card card">
        <NotificationSwitch />
      </div>
    </Section>
    <AutomaticMerges />
    <Watched />
    <CheckPolicy />
    <Secrets />
    <Identity />
  </Page>
);

const Appearance = () => {
  const { theme, choose } = useTheme();
  return (
    <Section title="Appearance">
      <div className="settings-card card">
        <Segmented label="Theme" segments={THEMES.map((value) => ({ value, ...THEME_LOOKS[value] }))} value={theme} onChange={choose} />
      </div>
    </Section>
  );
};

const Watched = () => {
  const status = useAsk('status', {}, { everyMs: 10_000 });
  return (
    <Section title="Watched folders" actions={<Link href="/health">Health</Link>}>
      <div className="settings-card card">
        <Answered query={status} what="watched folders" lines={2}>
          {({ roots, state, pendingSessions, home, database }) => (
            <>
              {roots.length === 0 ? (
                <p className="small soft">No watched folders.</p>
              ) : (
                <ul className="settings-roots" aria-label="Watched folders">
                  {roots.map((root) => (
                    <li key={root}>
                      <code>{root}</code>
                    </li>
                  ))}
                </ul>
              )}
              <Facts>
                <Fact name="State">
                  {STATES[state]}
                  {pendingSessions === 0 ? '' : `, ${counted(pendingSessions, 'session')} to import`}
                </Fact>
                <Fact name="Home">
                  <code>{home}</code>
                </Fact>
                <Fact name="Database">
                  <code>{database}</code>
                </Fact>
              </Facts>
              <p className="small soft">
                Add folders or exclude projects in <code>settings.json</code> in the home folder, then restart the server.
              </p>
            </>
          )}
        </Answered>
      </div>
    </Section>
  );
};

const Secrets = () => (
  <Section title="Secrets">
    <div className="settings-card card settings-line">
      <EyeOff aria-hidden />
      <p className="small">
        Yarnboard masks API keys, tokens and private keys wherever it shows, exports or shares text. The log keeps the original. To delete a secret
        for good, run <code>yarnboard forget</code>.
      </p>
    </div>
  </Section>
);

const Identity = () => {
  const actor = useActor();
  return (
    <Section title="Signed in as">
      <div className="settings-card card settings-line">
        <KeyRound aria-hidden />
        {actor === null ? (
          <p className="small">
            Read-only. Run <code>yarnboard open</code> to sign in.
          </p>
        ) : (
          <>
            <p className="small">
              <code>{actor.id}</code>. The token is stored in this browser.
            </p>
            <Button
              icon={LogOut}
              onClick={() => {
                localStorage.removeItem(TOKEN_KEY);
                location.reload();
              }}
            >
              Sign out
            </Button>
          </>
        )}
      </div>
    </Section>
  );
};

const THEME_LOOKS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} as const satisfies Record<Theme, { readonly label: string; readonly icon: LucideIcon }>;
