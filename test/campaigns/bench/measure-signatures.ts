import { nodeSignatures } from 'countersign'
import type { SignatureClaim, SignatureScheme } from 'countersign/define'
import { generateKey, stamper } from 'countersign/signatures'
import { median, perSecond, rate, ratio, rounds, type Progress, type Table } from './figures.ts'
import { opensslLimits } from './machine.ts'
import { parseApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'
import { E } from '../../../core/prelude.ts'

export type SignatureOptions = { readonly rounds: number; readonly forMs: number }

const curves = [
  { name: 'P-256', curve: 'API_KEY_CURVE_P256', openssl: 'ecdsap256' },
  { name: 'ed25519', curve: 'API_KEY_CURVE_ED25519', openssl: 'ed25519' },
] as const

/** Verifications a second, beside the machine's own OpenSSL. */
export const measureSignatures = async (options: SignatureOptions, progress: Progress): Promise<Table> => {
  const rows: (string | number)[][] = []
  for (const { name, curve, openssl } of curves) {
    progress(`signatures, ${name}`)
    const claim = claimOf(curve)
    const signatures = nodeSignatures()
    const measured = await rounds(options.rounds, [
      { name: 'one', measure: () => perSecond(options.forMs, () => signatures.verify(claim)) },
      { name: 'many', measure: () => inFlight(options.forMs, 64, () => signatures.verify(claim)) },
    ])
    const limits = opensslLimits(openssl, 1)
    const one = measured.get('one') ?? []
    const many = measured.get('many') ?? []
    const against = (limit: number | undefined, values: readonly number[]): string =>
      limit === undefined
        ? '–'
        : ratio(
            values,
            values.map(() => limit),
          )
    rows.push(
      [
        `${name}, one after the other`,
        rate(median(one)),
        limits === undefined ? 'no openssl here' : rate(limits.perCore),
        against(limits?.perCore, one),
      ],
      [
        `${name}, 64 in flight`,
        rate(median(many)),
        limits === undefined ? 'no openssl here' : rate(limits.allCores),
        against(limits?.allCores, many),
      ],
    )
  }
  return {
    title: 'Signatures',
    says: 'Stamps of a 300-byte body, parsed key in the cache. The limit is `openssl speed`: on one core for one after the other, on all cores for many.',
    columns: ['what', 'verified per second', 'limit per second', '× limit'],
    rows,
  }
}

/** A claim that is true, as a stamp makes it. */
export const claimOf = (curve: (typeof curves)[number]['curve']): SignatureClaim => {
  const message = new Uint8Array(300).fill(0x61)
  const stamp = parseApiKeyStamp(stamper(generateKey(curve))(message))
  if (E.isLeft(stamp)) throw new Error(stamp.left.message)
  const { publicKey, signature, scheme } = stamp.right
  return { publicKey, signature, scheme: scheme satisfies SignatureScheme, message }
}

const inFlight = async (forMs: number, count: number, work: () => Promise<unknown>): Promise<number> => {
  const rates = await Promise.all(Array.from({ length: count }, () => perSecond(forMs, work)))
  return rates.reduce((sum, one) => sum + one, 0)
}
