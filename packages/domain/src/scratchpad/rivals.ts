import { stemOf } from './stems.ts';

/** Names of which a thing has one: where both texts fill the place with another of a row, they disagree. */
const ROWS = `
compression: gzip zstd brotli lz4 snappy deflate bzip2 xz uncompressed
bundler: webpack vite rollup esbuild parcel turbopack rspack
database: postgres mysql mariadb sqlite mongodb mongo dynamodb cassandra cockroachdb oracle mssql couchdb bigtable spanner clickhouse duckdb firestore h2
cache: redis memcached valkey hazelcast
broker: kafka rabbitmq sqs nats pulsar kinesis activemq pubsub
search: elasticsearch opensearch solr meilisearch typesense algolia
store: s3 gcs minio r2 b2 nfs efs ebs ceph
cloud: aws gcp azure hetzner digitalocean heroku cloudflare
ci: jenkins github-actions gitlab-ci circleci buildkite travis teamcity drone bamboo
packages: npm yarn pnpm bun poetry pip pipenv conda uv
runner: jest vitest mocha jasmine ava pytest unittest nose junit testng
format: json xml yaml toml csv tsv protobuf avro msgpack parquet orc ini cbor
encoding: utf-8 utf8 utf-16 latin-1 latin1 ascii iso-8859-1 windows-1252
zone: utc gmt local-time cet pst est europe/berlin america/new_york europe/london
money: cents dollars euros pence pounds yen
timeunit: nanoseconds microseconds milliseconds seconds minutes hours days weeks months
byteunit: bits bytes kilobytes megabytes gigabytes kib mib gib
level: trace debug info warn warning error fatal critical verbose
isolation: serializable read-committed read-uncommitted repeatable-read snapshot-isolation
type: integer int bigint smallint varchar text uuid boolean bool decimal float double timestamp jsonb string number numeric array object char date blob enum
hash: sha1 sha-1 sha256 sha-256 sha512 sha-512 md5 bcrypt argon2 argon2id scrypt pbkdf2 crc32 xxhash murmur
signature: hs256 rs256 es256 rsa ecdsa ed25519 hmac
cipher: aes-128 aes-256 aes-gcm aes-cbc chacha20 des
auth: jwt oauth oauth2 saml oidc basic-auth mtls kerberos
protocol: rest grpc graphql websocket websockets sse polling soap
method: get post put patch delete
transport: tcp udp quic
ip: ipv4 ipv6
proxy: nginx envoy haproxy traefik caddy apache
container: docker podman containerd cri-o
infra: terraform pulumi cloudformation ansible cdk
distro: ubuntu debian alpine centos rhel fedora distroless
language: python java golang rust ruby php typescript javascript kotlin scala swift elixir perl bash
ui: react vue svelte angular preact solid
eviction: lru lfu fifo lifo
balance: round-robin least-connections random weighted
delivery: at-least-once at-most-once exactly-once
place: cookie header query-string localstorage sessionstorage indexeddb
branch: main master develop trunk
licence: mit apache-2.0 apache2 gpl gpl-2.0 gpl-3.0 gplv3 gplv2 lgpl isc agpl bsd mpl
cadence: hourly daily weekly nightly monthly quarterly yearly annually
logging: log4j logback winston pino bunyan zap zerolog structlog
orm: prisma typeorm sequelize drizzle knex hibernate sqlalchemy
region: us-east-1 us-east-2 us-west-1 us-west-2 eu-west-1 eu-west-2 eu-central-1 ap-south-1 ap-southeast-1
allocator: jemalloc tcmalloc mimalloc glibc
join: inner outer left right cross
separator: semicolon semicolons comma commas tab tabs pipe spaces
backoff: exponential linear constant fixed
image: jpeg jpegs webp png pngs avif gif svg
engine: myisam innodb rocksdb wiredtiger
severity: p0 p1 p2 p3 p4 sev1 sev2 sev3
review: open closed merged draft
consistency: eventual strong causal
architecture: arm64 amd64 x86 x86_64 aarch64
colour: blue yellow orange grey gray purple black white
collector: g1 zgc shenandoah
linter: eslint oxlint biome tslint
tree: btree b-tree gin gist brin
`;

const CLASSES: ReadonlyMap<string, string> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [name = '', members = ''] = row.split(':');
      return members
        .trim()
        .split(' ')
        .map((member) => [stemOf(member), name] as const);
    }),
);
/** Spellings of one name within a row. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    ['utf8', 'utf-8'],
    ['latin1', 'latin-1'],
    ['int', 'integer'],
    ['bool', 'boolean'],
    ['mongo', 'mongodb'],
    ['warning', 'warn'],
    ['sha-256', 'sha256'],
    ['sha-1', 'sha1'],
    ['sha-512', 'sha512'],
    ['oauth2', 'oauth'],
    ['websockets', 'websocket'],
    ['gmt', 'utc'],
    ['b-tree', 'btree'],
    ['yearly', 'annually'],
    ['numeric', 'decimal'],
    ['argon2id', 'argon2'],
    ['nightly', 'daily'],
  ].map(([from = '', to = '']) => [stemOf(from), stemOf(to)]),
);

export const rivalClassOf = (stem: string): string | undefined => CLASSES.get(stem);
export const rivalNameOf = (stem: string): string => SPELLINGS.get(stem) ?? stem;
