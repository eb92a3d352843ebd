import { dirname, join } from 'node:path'
import type { Import, Source } from './source.ts'

/**
 * Which part of `core/` may import which: a part imports parts of its own rank and below. A part is a file or folder of
 * `core/`, or one file in it that stands elsewhere than its folder. What is missing here has no place yet: give it one, as
 * low as it can stand.
 */
export const RANKS: Readonly<Record<string, number>> = {
  prelude: 0,
  either: 0,
  failure: 0,
  codec: 0,
  bytes: 0,
  slices: 0,
  'once-per': 0,
  json: 0,

  request: 1,
  log: 1,
  ports: 1, // and may name the types of the next rank: TYPES_FOR_PORTS
  'activity/decision': 1, // a part of an event's bytes

  activity: 2,
  organization: 2,
  policy: 2,
  stamp: 2,

  operations: 3,

  command: 4,
  query: 4,
  projection: 4,
  audit: 4,

  engine: 5,
  'create-engine': 5,
  index: 6,
}

const TYPES_FOR_PORTS = 2

/** Adapters that put others together. All others import `core/` and themselves. */
const COMPOSING = [
  'adapters/audit/',
  'adapters/cli/',
  'adapters/container.ts',
  'adapters/index.ts',
  'adapters/organization-request.ts',
]

/** Packages that only these files import, and what `core/` may import at all. */
const RESERVED: readonly { readonly name: RegExp; readonly to: readonly string[] }[] = [
  { name: /^fp-ts(?:\/|$)/, to: ['core/prelude.ts', 'core/either.ts', 'examples/'] },
  { name: /^(?:tsyringe|reflect-metadata)$/, to: ['adapters/container.ts', 'examples/'] },
]
const CORE_PACKAGES = ['fp-ts', 'io-ts', '@noble/curves', '@noble/hashes'] // all of them compute, and do nothing else

export const importFindings = (source: Source): readonly string[] =>
  source.imports.flatMap((imported) => {
    const finding = refused(source.path, imported)
    return finding === undefined ? [] : [`${source.path}:${imported.line} ${finding}`]
  })

const refused = (path: string, { specifier, typeOnly }: Import): string | undefined => {
  const reserved = RESERVED.find(({ name }) => name.test(specifier))
  if (reserved !== undefined && !reserved.to.some((allowed) => path.startsWith(allowed)))
    return `${specifier} is imported only by ${reserved.to.join(' and ')}`
  const inside = specifier.startsWith('.')
  if (path.startsWith('core/'))
    return inside ? againstRank(path, resolved(path, specifier), typeOnly) : notForCore(packageOf(specifier))
  if (path.startsWith('adapters/') && inside) return acrossAdapters(path, resolved(path, specifier))
  return undefined
}

const notForCore = (name: string): string | undefined =>
  CORE_PACKAGES.includes(name) ? undefined : `core does not import ${name}: what it needs of the platform is a port`

const againstRank = (path: string, target: string, typeOnly: boolean): string | undefined => {
  if (!target.startsWith('core/')) return `core does not import ${target}`
  const [from, to] = [partOf(path), partOf(target)]
  const [rank, below] = [RANKS[from], RANKS[to]]
  if (rank === undefined) return `core/${from} has no rank: give it one in test/tidy/imports.ts`
  if (below === undefined) return `core/${to} has no rank: give it one in test/tidy/imports.ts`
  const highest = from === 'ports' && typeOnly ? TYPES_FOR_PORTS : rank
  return below > highest ? `core/${from} may not import core/${to}, which stands above it` : undefined
}

const acrossAdapters = (path: string, target: string): string | undefined => {
  if (target.startsWith('core/') || COMPOSING.some((place) => path.startsWith(place))) return undefined
  const own = path.split('/').slice(0, 2).join('/')
  return target.startsWith(`${own}/`) ? undefined : `an adapter imports core and itself, not ${target}`
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

export const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')

export const resolved = (path: string, specifier: string): string =>
  join(dirname(path), specifier).replaceAll('\\', '/')

const partOf = (path: string): string => {
  const inCore = path.replace(/^core\//, '').replace(/\.ts$/, '')
  return inCore in RANKS ? inCore : (inCore.split('/')[0] ?? '')
}
