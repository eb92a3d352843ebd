import { dirname, join } from 'node:path'
import type { Import, Source } from './source.ts'

/**
 * The floors of `core/`, from the ground up. A part is a file or folder of `core/`, and imports itself and parts of lower floors
 * only: so folders make no circles. What is missing here has no place yet: give it one, as low as it can stand.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['failure-codes', 'bytes', 'collections', 'either', 'nearest', 'request', 'address'],
  ['failure'],
  ['prelude'],
  ['codec', 'json', 'options'],
  ['keys', 'identity'],
  ['ports'],
  ['log', 'stamp', 'telemetry', 'leasing'],
  ['countersign-error'],
  ['activity', 'organization', 'following'],
  ['policy', 'view'],
  ['definition', 'transaction'],
  ['resources', 'deciding', 'projection'],
  ['writing', 'audit'],
  ['command', 'engine', 'policy-tools'],
  ['webhooks'],
  ['check-options'],
  ['engine-rules', 'engine-writing'],
  ['create-engine'],
  ['door'],
  ['index', 'define', 'api'],
]

const floorOf = (part: string): number => FLOORS.findIndex((parts) => parts.includes(part))

/** Adapters that put others together. All others import `core/` and themselves. */
const COMPOSING = [
  'adapters/audit/',
  'adapters/cli/',
  'adapters/container.ts',
  'adapters/console/',
  'adapters/credentials/',
  'adapters/client/connect-on-node.ts',
  'adapters/fp.ts',
  'adapters/identity-tokens/',
  'adapters/index.ts',
  'adapters/node-engine.ts',
  'adapters/oauth2/',
  'adapters/organization-request.ts',
  'adapters/policy-tools.ts',
  'adapters/proxy/',
  'adapters/testing/office/',
]

/** What every adapter may import beside itself. It imports nothing. */
const SHARED = 'adapters/crash-point.ts'

/** Packages that only these files import, and what `core/` may import at all. */
const RESERVED: readonly { readonly name: RegExp; readonly to: readonly string[] }[] = [
  { name: /^fp-ts(?:\/|$)/, to: ['core/prelude.ts', 'core/either.ts', 'examples/'] },
  { name: /^(?:tsyringe|reflect-metadata)$/, to: ['adapters/container.ts', 'examples/'] },
  { name: /^@hpke\//, to: ['adapters/keyring/hpke.ts'] },
  { name: /^tldts$/, to: ['core/stamp/public-suffix.ts'] },
  {
    name: /^(?:@scure\/btc-signer|@solana\/kit|micro-eth-signer|viem)(?:\/|$)/,
    to: ['core/transaction/', 'test/', 'examples/'],
  },
  { name: /^jose$/, to: ['core/identity/', 'adapters/identity-tokens/', 'test/', 'examples/'] },
  { name: /^(?:preact|htm)(?:\/|$)/, to: ['adapters/console/page/'] },
  { name: /^@simplewebauthn\//, to: ['adapters/attestations/', 'test/adapters/attestations/'] },
]
/** All of them compute, and do nothing else. */
const CORE_PACKAGES = [
  'fp-ts',
  'io-ts',
  '@noble/ciphers',
  '@noble/curves',
  '@noble/hashes',
  '@scure/base',
  '@scure/bip39',
  '@scure/btc-signer',
  '@solana/kit',
  'jose',
  'micro-eth-signer',
  'tldts',
  'viem',
]

/** Node's parts are made in one place. A package's entry hands them on to hosts; all else asks the container for them. */
const PARTS =
  /^adapters\/(?:clock|ids|turns|signatures)\/(?:system-clock|node-ids|event-loop-turns|by-keys|node-signatures)\.ts$/
const MAKING_PARTS = ['adapters/container.ts', 'adapters/index.ts']

export const importFindings = (source: Source): readonly string[] =>
  source.imports.flatMap((imported) => {
    const finding = refused(source.path, imported)
    return finding === undefined ? [] : [`${source.path}:${imported.line} ${finding}`]
  })

const refused = (path: string, { specifier }: Import): string | undefined => {
  const reserved = RESERVED.find(({ name }) => name.test(specifier))
  if (reserved !== undefined && !reserved.to.some((allowed) => path.startsWith(allowed)))
    return `${specifier} is imported only by ${reserved.to.join(' and ')}`
  const inside = specifier.startsWith('.')
  if (path.startsWith('core/'))
    return inside ? againstFloors(path, resolved(path, specifier)) : notForCore(packageOf(specifier))
  if (path.startsWith('adapters/') && inside) return acrossAdapters(path, resolved(path, specifier))
  return undefined
}

const notForCore = (name: string): string | undefined =>
  CORE_PACKAGES.includes(name) ? undefined : `core does not import ${name}: what it needs of the platform is a port`

const againstFloors = (path: string, target: string): string | undefined => {
  if (!target.startsWith('core/')) return `core does not import ${target}`
  const [from, to] = [partOf(path), partOf(target)]
  const without = [from, to].find((part) => floorOf(part) === -1)
  if (without !== undefined) return `core/${without} has no floor: give it one in test/system/tidy/imports.ts`
  return from === to || floorOf(to) < floorOf(from)
    ? undefined
    : `core/${from} may not import core/${to}, which does not stand below it`
}

const acrossAdapters = (path: string, target: string): string | undefined => {
  const own = path.split('/').slice(0, 2).join('/')
  const isOwn = target.startsWith(`${own}/`)
  if (PARTS.test(target) && !isOwn && !MAKING_PARTS.includes(path))
    return `${target} is made by ${MAKING_PARTS[0]} alone`
  if (target.startsWith('core/') || target === SHARED || COMPOSING.some((place) => path.startsWith(place)))
    return undefined
  return isOwn ? undefined : `an adapter imports core and itself, not ${target}`
}

/** Circles of imports that exist at run time, each told once. */
export const importCircles = (all: readonly Source[]): readonly string[] => {
  const targets = new Map(
    all.map(({ path, imports }) => [
      path,
      imports.filter((i) => !i.typeOnly && i.specifier.startsWith('.')).map((i) => resolved(path, i.specifier)),
    ]),
  )
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (done.has(path) || trail.includes(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return circles
}

/** The packages that are loaded where a file of ours is, by name. */
export const packagesLoadedBy = (all: readonly Source[], path: string): ReadonlySet<string> => {
  const byPath = new Map(all.map((one) => [one.path, one]))
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (one: string): void => {
    if (seen.has(one)) return
    seen.add(one)
    for (const { specifier, typeOnly } of byPath.get(one)?.imports ?? []) {
      if (typeOnly) continue
      if (specifier.startsWith('.')) visit(resolved(one, specifier))
      else packages.add(packageOf(specifier))
    }
  }
  visit(path)
  return packages
}

export const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')

export const resolved = (path: string, specifier: string): string =>
  join(dirname(path), specifier).replaceAll('\\', '/')

const partOf = (path: string): string =>
  path
    .replace(/^core\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0] ?? ''
