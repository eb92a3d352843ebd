import { decodeBase64, encodeHex } from '../bytes.ts'

/* What the numbers of an RSA key have to be, beyond their length, so that its signatures say something. */

/** The number that the base64url of a JWK stands for: RFC 7518, section 2, wants the shortest. `undefined` for other texts. */
export const numberIn = (text: string): bigint | undefined => {
  const bytes = /^[A-Za-z0-9_-]+$/.test(text) ? decodeBase64(text) : undefined
  return bytes === undefined || bytes[0] === 0 || bytes.length === 0 ? undefined : BigInt(`0x${encodeHex(bytes)}`)
}

/** Odd, and more than 1: with 1, a signature is the padding itself, which anybody can write. */
export const isExponent = (e: bigint): boolean => e > 1n && e % 2n === 1n

/**
 * Whether a modulus is of the kind that a library of chips made until 2017: its primes follow from so little chance that they can be found
 * (CVE-2017-15361). Both are powers of 65537 modulo each small prime, and so is their product. Of all other moduli, one in 200 million are.
 *
 * @see Nemec and others, The Return of Coppersmith's Attack, CCS 2017, section 2.2
 */
export const hasGuessablePrimes = (n: bigint): boolean =>
  POWERS.every(([prime, powers]) => powers.has(Number(n % BigInt(prime))))

const GENERATOR = 65_537

/** The primes that divide the number from which primes of each size were made. */
const PRIMES = Array.from({ length: 165 }, (_, n) => n + 3).filter((n) => {
  for (let divisor = 2; divisor * divisor <= n; divisor += 1) if (n % divisor === 0) return false
  return true
})

const powersModulo = (prime: number): ReadonlySet<number> => {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * GENERATOR) % prime) powers.add(power)
  return powers
}

const POWERS = PRIMES.map((prime) => [prime, powersModulo(prime)] as const)
