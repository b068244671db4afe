import type { Begin } from './anchors.ts';
import { ALNUM, back, inClass, runEnd, runStart, shape, TOKEN, WORDS, type Shape, type Span, type Start } from './shape.ts';
import { isStandIn, mixing } from './secret-values.ts';

/**
 * The prefixes of makers' keys and tokens, the characters that follow, and the minimum number of them. The forms are published by the makers or
 * commonly known, as of November 2026; not all were checked against the makers' documents.
 */
type Vendor = readonly [kind: string, prefixes: string, members: string, least: number];

const HEX = '0-9a-f';
const UPPER = 'A-Z0-9';
const DOTTED = String.raw`\w.-`;
const BASE = String.raw`\w+/=-`;

const VENDORS: readonly Vendor[] = [
  // Models
  ['anthropic-key', 'sk-ant-', WORDS, 16],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', WORDS, 20],
  ['openrouter-key', 'sk-or-v1-', HEX, 32],
  ['langfuse-key', 'sk-lf-', WORDS, 32],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', String.raw`\w`, 32],
  ['xai-key', 'xai-', ALNUM, 40],
  ['groq-key', 'gsk_', ALNUM, 40],
  ['perplexity-key', 'pplx-', ALNUM, 32],
  ['replicate-token', 'r8_', ALNUM, 30],
  ['huggingface-token', 'hf_ api_org_', ALNUM, 30],
  ['nvidia-key', 'nvapi-', WORDS, 40],
  ['pinecone-key', 'pcsk_', String.raw`\w`, 40],
  ['cerebras-key', 'csk-', ALNUM, 40],
  ['together-key', 'tgp_v1_', WORDS, 30],
  ['wandb-key', 'wandb_v1_', String.raw`\w`, 40],
  // Code and packages
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', ALNUM, 30],
  ['github-token', 'github_pat_', String.raw`\w`, 30],
  ['gitlab-token', 'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-', DOTTED, 20],
  ['gitlab-token', 'GR1348941', WORDS, 20],
  ['bitbucket-token', 'ATBB', ALNUM, 28],
  ['atlassian-token', 'ATATT3 ATCTT3 ATSTT3', BASE, 60],
  ['npm-token', 'npm_', ALNUM, 36],
  ['pypi-token', 'pypi-', WORDS, 50],
  ['rubygems-key', 'rubygems_', HEX, 48],
  ['clojars-token', 'CLOJARS_', ALNUM, 50],
  ['packagist-token', 'packagist_out_ packagist_uut_ packagist_ort_ packagist_urt_', HEX, 40],
  ['docker-token', 'dckr_pat_ dckr_oat_', WORDS, 20],
  ['jfrog-token', 'AKCp cmVmdGtu', ALNUM, 40],
  ['sonar-token', 'squ_ sqp_ sqa_', HEX, 40],
  ['snyk-token', 'snyk_uat.', DOTTED, 30],
  ['circleci-token', 'CCIPAT_ CCIPRJ_', String.raw`\w`, 30],
  ['buildkite-token', 'bkua_ bkpt_ bkaj_', HEX, 40],
  ['sourcegraph-token', 'sgp_ slk_', String.raw`\w`, 40],
  // Clouds and platforms
  ['google-key', 'AIza', WORDS, 30],
  ['google-token', 'ya29.', DOTTED, 20],
  ['google-secret', 'GOCSPX-', WORDS, 24],
  ['google-token', '1//0', WORDS, 40],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', HEX, 40],
  ['heroku-key', 'HRKU-', WORDS, 36],
  ['netlify-token', 'nfp_ nfc_ nfo_ nfu_ nfb_', ALNUM, 30],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', ALNUM, 24],
  ['fly-token', 'fm1r_ fm1a_ fm2_ fo1_', BASE, 40],
  ['render-key', 'rnd_', ALNUM, 28],
  ['supabase-key', 'sbp_', String.raw`\w`, 40],
  ['supabase-key', 'sb_secret_', WORDS, 20],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', DOTTED, 32],
  ['neon-key', 'napi_', ALNUM, 40],
  ['mongodb-secret', 'mdb_sa_sk_', WORDS, 30],
  ['doppler-token', 'dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit.', DOTTED, 40],
  ['pulumi-token', 'pul-', HEX, 40],
  ['vault-token', 'hvs. hvb. hvr.', WORDS, 24],
  ['databricks-token', 'dapi dkea', `${HEX}-`, 32],
  ['tailscale-key', 'tskey-', WORDS, 20],
  ['alibaba-key-id', 'LTAI', ALNUM, 20],
  ['yandex-key', 'AQVN', WORDS, 35],
  ['infracost-key', 'ico-', ALNUM, 32],
  ['age-key', 'AGE-SECRET-KEY-1', UPPER, 50],
  ['1password-token', 'ops_eyJ', BASE, 100],
  // Talk, mail and work
  ['slack-token', 'xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe.xoxb- xoxe.xoxp- xwfp-', `${ALNUM}-`, 10],
  ['sendgrid-key', 'SG.', DOTTED, 40],
  ['brevo-key', 'xkeysib- xsmtpsib-', `${ALNUM}-`, 60],
  ['linear-key', 'lin_api_ lin_oauth_ lin_wh_', ALNUM, 32],
  ['notion-token', 'ntn_', ALNUM, 40],
  ['figma-token', 'figd_ figdr_ figo_ figor_ figu_ figur_', WORDS, 38],
  ['contentful-token', 'CFPAT-', WORDS, 40],
  ['typeform-token', 'tfp_', String.raw`\w.=-`, 40],
  ['readme-key', 'rdme_', ALNUM, 40],
  ['trello-token', 'ATTA', HEX, 60],
  ['dropbox-token', 'sl.u. sl.B sl.A', WORDS, 60],
  ['facebook-token', 'EAAC EAAB EAAG EAAI EAAM', ALNUM, 80],
  // Money and shops
  ['stripe-key', 'sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_', ALNUM, 16],
  ['webhook-secret', 'whsec_', BASE, 24],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_', '0-9a-fA-F', 32],
  ['square-token', 'sq0atp- sq0csp- sq0idp-', WORDS, 22],
  ['paypal-token', 'access_token$production$ access_token$sandbox$', `${ALNUM}$`, 40],
  ['paypal-token', 'A21AA', WORDS, 60],
  ['flutterwave-key', 'FLWSECK-', WORDS, 30],
  ['shippo-token', 'shippo_live_ shippo_test_', HEX, 40],
  ['duffel-token', 'duffel_live_ duffel_test_', WORDS, 40],
  ['easypost-key', 'EZAK EZTK', ALNUM, 54],
  ['lob-key', 'live_pub_ test_pub_', HEX, 31],
  ['plaid-token', 'access-sandbox- access-development- access-production-', `${HEX}-`, 36],
  // Watching
  ['postman-key', 'PMAK-', `${HEX}-`, 50],
  ['newrelic-key', 'NRAK- NRII- NRIQ- NRRA- NRSP-', WORDS, 20],
  ['grafana-token', 'glsa_ glc_', BASE, 32],
  ['sentry-token', 'sntrys_ sntryu_ sntrya_ sntryi_', BASE, 40],
  ['dynatrace-token', 'dt0c01. dt0s01. dt0s02. dt0s16.', `${UPPER}.`, 60],
  ['honeycomb-key', 'hcaik_ hcalk_ hcamk_ hcxik_ hcxlk_ hcxmk_', ALNUM, 40],
  ['posthog-key', 'phx_ phs_', ALNUM, 36],
  ['mapbox-token', 'sk.eyJ tk.eyJ', DOTTED, 40],
  ['inngest-key', 'signkey-prod- signkey-test- signkey-staging- signkey-branch-', HEX, 32],
];

type Known = { readonly kind: string; readonly members: Uint8Array; readonly least: number };

const BY_PREFIX: ReadonlyMap<string, Known> = new Map(
  VENDORS.flatMap(([kind, prefixes, members, least]) =>
    prefixes.split(' ').map((prefix): readonly [string, Known] => [prefix, { kind, members: inClass(members), least }]),
  ),
);

/** The longest prefix at this place. */
const longestPrefix = (prefixes: readonly string[]): Start => {
  const byStart = new Map<number, string[]>();
  for (const prefix of prefixes.toSorted((a, b) => b.length - a.length)) {
    const same = byStart.get(startOf(prefix, 0));
    if (same === undefined) byStart.set(startOf(prefix, 0), [prefix]);
    else same.push(prefix);
  }
  const start: Start = {
    lastIndex: 0,
    test: (text) => {
      const at = start.lastIndex;
      for (const prefix of byStart.get(startOf(text, at)) ?? []) {
        if (!text.startsWith(prefix, at)) continue;
        start.lastIndex = at + prefix.length;
        return true;
      }
      return false;
    },
  };
  return start;
};

const startOf = (text: string, at: number): number => (text.charCodeAt(at) << 14) | (text.charCodeAt(at + 1) << 7) | text.charCodeAt(at + 2);

/**
 * A maker's token, even in the middle of other text. Within a word it must also look random: `task-ant-…` is a name. A token cut off by a mark (…) is
 * recognized by its beginning.
 */
const vendor = shape('token', [...BY_PREFIX.keys()].join(' '), longestPrefix([...BY_PREFIX.keys()]), (text, from, end) => {
  const known = BY_PREFIX.get(text.slice(from, end));
  const none: Span = { from, to: end, secret: false };
  if (known === undefined) return none;
  const to = runEnd(text, end, known.members);
  const isCut = text.charAt(to) === '…' && to - end >= 4 && to === text.length - 1;
  if (to - end < known.least && !isCut) return none;
  // Never walked twice: thousands of prefixes in one run would cost its length each.
  const past: Span = { from, to, secret: false };
  const body = text.slice(end, to);
  const isGlued = /[A-Za-z0-9]/u.test(text.charAt(from - 1)) && !isEscape(text, from);
  if (isInBase64(text, from) || (isGlued && !/[-_.$]/u.test(text.slice(from, end)))) return past;
  const isReal = isGlued ? mixing(body) >= 3 : mixing(body) > 0 || (/[a-z]/u.test(body) && /[A-Z]/u.test(body)) || /^\d+-\d/u.test(body);
  return isReal && !isStandIn(body) ? { from, to: trimmed(text, to), secret: true, kind: known.kind } : past;
});

/** In a run of base64, such as a picture, any few letters occur somewhere. A path has slashes, too, and seldom digits. */
const isInBase64 = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 64), at);
  return /[A-Za-z0-9+/]{32}$/u.test(before) && (!/[+/]$/u.test(before) || mixing(before) >= 3) && !isEscape(text, at);
};

/** A full stop after a token belongs to the sentence. */
const trimmed = (text: string, to: number): number => (text.charAt(to - 1) === '.' ? to - 1 : to);

/** In JSON inside JSON, terminal colours and query strings, the preceding character is a letter that belongs to an escape. */
const isEscape = (text: string, at: number): boolean => /(?:\\[nrt]|\[[0-9;]{0,12}m|%[0-9A-F]{2})$/u.test(text.slice(Math.max(0, at - 16), at));

/** Shapes without a unique prefix: recognized by their whole form. */
const form = (kind: string, anchors: string, source: string, accept: (secret: string) => boolean = () => true, begin?: Begin): Shape =>
  shape(
    kind,
    anchors,
    source,
    (text, from, end) => {
      const secret = text.slice(from, end);
      return { from, to: end, secret: accept(secret) && !isStandIn(secret.replace(/^A{20,}/u, '')) && !isInBase64(text, from) };
    },
    begin ?? (source.startsWith(ALONE) ? atWord : undefined),
  );

const { raw } = String;
const ALONE = '(?<![A-Za-z0-9_-])';
/** A separate word has none of these before it, which is cheaper to check than to match. */
const atWord: Begin = (text, at) => (at > 0 && TOKEN[text.charCodeAt(at - 1)] === 1 ? -1 : at);
const ENDS = '(?![A-Za-z0-9_-])';
const isMixed = (secret: string): boolean => mixing(secret) >= 3;

const DIGIT = inClass('0-9');

/** The number before the colon, preceded by `bot`. */
const atBot: Begin = (text, at) => {
  const from = runStart(text, at, DIGIT, 13);
  return text.startsWith('bot', from - 3) ? from - 3 : from;
};

/** The word before its full stop. */
const atFirstPart: Begin = (text, at) => {
  const from = runStart(text, at + 1, TOKEN, 30);
  return at - from >= 22 && 'MNO'.includes(text.charAt(from)) ? from : -1;
};

/** As far as `A` encodes zeros: with more of them than the whole form has, none begins it. */
const atZeros: Begin = (text, at) => runStart(text, at + 2, ONLY_A, 180);
const ONLY_A = inClass('A');

export const VENDOR_SHAPES: readonly Shape[] = [
  vendor,
  form('aws-key-id', 'akia asia abia acca', raw`(?:(?<![A-Z0-9])|(?<=%[0-9A-F]{2}))A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])`),
  form('aws-key', 'absk', raw`${ALONE}ABSK[A-Za-z0-9+/]{100,140}={0,2}`),
  form('slack-webhook', 'hooks.slack.com', raw`hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,200}`, isMixed),
  form('discord-webhook', 'discord.com/api/ discordapp.com/api/', raw`discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{10,24}/[\w-]{30,100}`),
  form('teams-webhook', 'webhook.office.com', raw`webhook\.office\.com/webhookb2/[\w@/-]{60,300}`),
  form('zapier-webhook', 'hooks.zapier.com', raw`hooks\.zapier\.com/hooks/catch/\d{4,12}/[\w/]{5,40}`),
  form('ifttt-key', 'maker.ifttt.com', raw`maker\.ifttt\.com/trigger/[\w-]{1,64}/(?:json/)?with/key/[\w-]{16,64}`),
  form('telegram-token', ':aa', raw`(?<![0-9A-Za-z])(?:bot)?\d{6,12}:AA[\w-]{32,35}${ENDS}`, () => true, atBot),
  form('discord-token', raw`[\w-].[\w-]`, raw`${ALONE}[MNO][\w-]{22,28}\.[\w-]{5,8}\.[\w-]{27,45}${ENDS}`, isMixed, atFirstPart),
  form('azure-secret', '[78]q~', raw`(?<![\w~.-])[\w~.-]{3}[78]Q~[\w~.-]{30,40}`, isMixed, back(3)),
  form('twilio-key', 'sk[0-9a-f]', raw`${ALONE}SK[0-9a-f]{32}${ENDS}`),
  form('mailgun-key', 'key- pubkey-', raw`${ALONE}(?:pub)?key-[0-9a-f]{32}${ENDS}`),
  form('mailgun-key', `-${'[0-9a-f]'.repeat(8)}-[0-9a-f]`, raw`${ALONE}[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}${ENDS}`, () => true, back(32)),
  form('mailchimp-key', '-us[0-9]', raw`${ALONE}[0-9a-f]{32}-us\d{1,2}${ENDS}`, () => true, back(32)),
  form('terraform-token', '.atlasv1.', raw`${ALONE}[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,100}`, () => true, back(14)),
  form('airtable-token', 'pat[a-z0-9][a-z0-9][a-z0-9][a-z0-9][a-z0-9][a-z0-9][a-z0-9][a-z0-9]', raw`${ALONE}pat[A-Za-z0-9]{14}\.[0-9a-f]{64}`),
  form('hubspot-token', 'pat-na pat-eu', raw`${ALONE}pat-(?:na|eu)\d-[0-9a-f-]{36}`),
  form('asana-token', '[0-2]/[0-9][0-9][0-9][0-9]', raw`${ALONE}[0-2]/\d{15,18}(?:/\d{15,18})?:[0-9a-f]{32}`),
  form('clickup-token', 'pk_[0-9]', raw`${ALONE}pk_\d{6,10}_[A-Z0-9]{32}${ENDS}`),
  form('resend-key', 're_', raw`${ALONE}re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}${ENDS}`),
  form('notion-token', 'secret_', raw`${ALONE}secret_[A-Za-z0-9]{43}${ENDS}`),
  form('elevenlabs-key', 'sk_', raw`${ALONE}sk_[0-9a-f]{48}${ENDS}`),
  form('cloudflare-key', 'v1.0-', raw`${ALONE}v1\.0-[0-9a-f]{24}-[0-9a-f]{146}`),
  form('newrelic-key', 'nral', raw`(?<![0-9a-f])[0-9a-f]{36}NRAL`, () => true, back(36)),
  form('nuget-key', 'oy2', raw`${ALONE}oy2[a-z0-9]{43}${ENDS}`),
  form('crates-token', 'cio', raw`${ALONE}cio[A-Za-z0-9]{32}${ENDS}`, isMixed),
  form('square-token', 'eaaa', raw`${ALONE}EAAA[\w-]{60,64}${ENDS}`, isMixed),
  form('amazon-token', 'amzn.mws.', raw`amzn\.mws\.[0-9a-f-]{36}`),
  form('octopus-key', 'api-', raw`${ALONE}API-[A-Z0-9]{25,27}${ENDS}`, isMixed),
  form('1password-key', 'a3-', raw`${ALONE}A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}${ENDS}`),
  form('launchdarkly-key', 'sdk- api-', raw`${ALONE}(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
  form('twitter-token', 'aa[^a]', raw`${ALONE}AAAAAAAAAAAAAAAAAAAAA[\w%]{50,150}`, isMixed, atZeros),
];
