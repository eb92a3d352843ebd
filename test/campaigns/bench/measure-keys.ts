import { startChild } from './child.ts'
import { median, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import type { KeysAsked, KeysKind } from './keys-program.ts'

const WARM_UP_MS = 500
const KINDS: readonly (readonly [kind: KeysKind, what: string])[] = [
  ['rename', 'an ordinary submit'],
  ['secp256k1', 'a signature, secp256k1'],
  ['ed25519', 'a signature, ed25519'],
  ['wallet', 'a wallet with two accounts'],
]

/** Submits that sign and that make wallets, beside those that need no key. */
export const measureKeys = async (
  options: { readonly rounds: number; readonly forMs: number },
  progress: Progress,
): Promise<Table> => {
  const child = startChild(new URL('./keys-program.ts', import.meta.url))
  const run = (asked: KeysAsked): Promise<number> => child.ask<number>('run', asked)
  const rows: (string | number)[][] = []
  try {
    for (const atOnce of [1, 64]) {
      progress(`signatures and wallets, ${atOnce} at once`)
      for (const [kind] of KINDS) await run({ kind, atOnce, forMs: WARM_UP_MS })
      const measured = await rounds(
        options.rounds,
        KINDS.map(([name]) => ({ name, measure: () => run({ kind: name, atOnce, forMs: options.forMs }) })),
      )
      const of = (kind: KeysKind): readonly number[] => measured.get(kind) ?? []
      for (const [kind, what] of KINDS) rows.push([what, atOnce, rate(median(of(kind))), ratio(of(kind), of('rename'))])
    }
  } finally {
    await child.close()
  }
  return {
    title: 'Signatures of wallets',
    says: 'Durable submits to an engine in its own process, on SQLite, with a keystore in a file; an ordinary submit renames a tag.',
    columns: ['what', 'at once', 'per second', '× ordinary'],
    rows,
  }
}
