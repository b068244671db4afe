import { wholeWords, wordsFound } from './words-found.ts';

/** AUTO-13: the words of a package, and of the paths it names, that have to do with security. Good news about it counts, too. */
export const securityWords = (texts: readonly string[], paths: readonly string[]): readonly string[] => [
  ...new Set([
    ...texts.flatMap((text) => [...wordsFound(text.toLowerCase(), WORDS), ...wordsFound(text, SIGNS)]),
    ...paths.flatMap((path) => wordsFound(path, PATHS)),
  ]),
];

const WORDS: readonly RegExp[] = [
  // Who one is, and what one may do.
  wholeWords(
    "auth(?:n|z)?|authenticat\\w*|authori[sz]\\w*|oauth2?|oidc|openid|saml|sso|ldap|kerberos|mfa|2fa|two-factor|second factor|otp|passkeys?|webauthn|log(?:ged|s|ging)? ?-?in(?:s|to)?(?= |$|[.,;:?!])|logins?|sign-?(?:in|on|out|up)s?|sign(?:ed|ing)? in|log-?outs?|sessions? (?:cookies?|tokens?|fixation|ids?|hijack\\w*)|cookies?|jwts?|bearer|impersonat\\w*|permissions?|privileges?|privileged|admins?|administrators?|sudo(?:ers)?|root (?:login|access|user|can)|as root|superusers?|roles?|rbac|acls?|iam|access(?:ed)? (?:control|rights?|list|key|token|log)s?|who (?:can|may|has|accessed|is allowed)|may (?:see|read|write|approve|access)|rights|ownership|service accounts?|least privilege|four-eyes|badges?|(?:tenant|network|process) isolation|can(?:edit|view|read|write|delete|access)\\w*|another(?:'s| user| tenant| customer)",
  ),
  // Secrets and ciphers.
  wholeWords(
    'passwords?|passwd|passphrases?|credentials?|secrets?|(?:api|private|public|secret|signing|encryption|unseal|ssh|access|stripe|master|session|host) keys?|(?:the|a|old|new) key (?:is in|and|was|leaked)|key (?:0x\\w+|rotation)|rotate\\w*|(?<!(?:input|output|cache|read|creation|prompt|completion|individual|total|context|\\d[\\d,.]*[km]?) )tokens?(?! (?:usage|counts?|limits?|budgets?|stream\\w*|ids?|sounds?|per|used|representation|windows?|costs?|totals?|colou?rs?))|invite codes?|vault|kms|hsm|encrypt\\w*|decrypt\\w*|cipher\\w*|crypto\\w*|aes(?:-\\d+)?|rsa|rs256|hs256|md5|sha-?1|bcrypt|argon2\\w*|scrypt|hashed|salt(?:ed)?|pgp|gpg|signatures?|signed|signing|certificates?|certs?|tls|mtls|mutual tls|ssl|openssl|https(?!:)|hsts|x\\.?509|pki|plain ?text (?:tokens?|passwords?)|in plain text|in clear text|constant time',
  ),
  // Attacks and weaknesses.
  wholeWords(
    'secur\\w*|insecure\\w*|unsafe\\w*|vulnerab\\w*|cve(?:-[\\d-]+)?|cwe(?:-\\d+)?|exploit\\w*|attack\\w*|adversar\\w*|malicious\\w*|malware|virus(?:es)?|antivirus|ransom\\w*|phish\\w*|botnets?|d?dos|brute\\w*|threats?|zero[- ]trust|trust(?:s|ed)? (?:the|any|all|each|every)|hack\\w*|intru\\w*|breach\\w*|backdoors?|rootkits?|trojans?|spyware|incident response|pen(?:etration)?[- ]?tests?|pentest\\w*|red team|xss|csrf|xsrf|ssrf|cors|csp|xxe|rce|sqli|injections?|unescaped|escap(?:ing|es|e) (?:of|user|html|sql)|without escaping|saniti[sz]\\w*|unsaniti[sz]ed|path traversal|traversal|directory traversal|clickjack\\w*|open redirect|redirects? anywhere|redirects? to internal|x-frame-options|access-control-allow-\\w+|same-?site|http-?only|spoof\\w*|forg(?:e|ed|ery|ing)|tamper\\w*|replay attack|man[- ]in[- ]the[- ]middle|mitm|guessable|math\\.random|predictable|unpickl\\w*|pickle|deseriali[sz]\\w*|eval(?:uated by)?|sandbox\\w*|escape(?:s)? the|symlinks?|buffer (?:over\\w+)|past the (?:buffer|end)|out[- ]of[- ]bounds|over(?:flow|run)s? (?:the|a) (?:buffer|stack|heap)|use[- ]after[- ]free|double free|zip bomb|bombs?|firewalls?|waf|vpn|ids/ips|honeypots?|port 22|ssh|sshd|publicly (?:readable|accessible|reachable|writable|exposed)|(?:is|are) public|reachable from (?:the internet|outside|anywhere)|exposed|(?:open|opened) to (?:the|all|any|10\\.|0\\.0)|trivy|snyk|dependabot|npm audit|audit(?:s|ed|ing)?|audit (?:log|trail)|rate limit\\w*(?= on (?:sign|log))|npm advisory|advisor(?:y|ies)',
  ),
  // What belongs to people.
  wholeWords(
    'privacy|private data|gdpr|dsgvo|ccpa|hipaa|pci(?:-dss)?|soc ?2|iso ?27001|compliance|personal data|personally identifiable|pii|consent\\w*|confidential\\w*|sensitive|leak(?:ed|s|ing|age)? (?:data|keys?|to|of|tokens?|secrets?|credentials?|into|in the)|leaked|data leaks?|card numbers?|credit cards?|cvv|iban|birth ?dates?|dates? of birth|phone numbers?|e-?mail addresses|home addresses|social security|ssn|payroll|salar(?:y|ies)|medical records?|patient (?:data|records?|names?)|biometric\\w*|fingerprints?',
  ),
];

const SIGNS: readonly RegExp[] = [/\bPAN\b/gu, /\.\.\/|(?<!\w)\.env\b|\bs3:\*|unsafe-inline|alg: none|\.(?:pem|key|p12|pfx|jks|kdbx)\b/giu];

const PATHS: readonly RegExp[] = [
  /(?:^|[/._-])(?:auth\w*|oauth\w*|login|logout|secur\w*|crypt\w*|secrets?|credentials?|passw\w*|tokens?|permissions?|rights|roles?|iam|acl|rbac|certs?|certificates?|keys|privacy|gdpr|pci|audit|pentest\w*|sudoers|ssh\w*|csrf|cors|csp|jwt|vault|firewall|waf|invite|session)(?=$|[/._:-])|\.(?:pem|key|p12|pfx|jks|env)(?=$|:)/giu,
];
