import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, platform, release, totalmem } from 'node:os'

/** What the figures were measured on. */
export const machine = (): string => {
  const [first] = cpus()
  const [load = 0] = loadavg()
  return [
    `${first?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    `${platform()} ${release()}, load ${load.toFixed(1)} at the start`,
    `Node ${process.versions.node} (OpenSSL ${process.versions.openssl})`,
    ['libsql', 'fp-ts', 'io-ts', '@noble/curves'].map((name) => `${name} ${versionOf(name)}`).join(', '),
  ].join('\n')
}

const versionOf = (name: string): string => {
  try {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as { version: string } // npm's own
    return version
  } catch {
    return '?'
  }
}

export type OpensslLimits = { readonly version: string; readonly perCore: number; readonly allCores: number }

/** Verifications a second of the machine's own OpenSSL, which nothing on top of it can surpass; undefined without one. */
export const opensslLimits = (
  algorithm: 'ecdsap256' | 'ed25519' | 'ecdsap256k1',
  seconds: number,
): OpensslLimits | undefined => {
  const speed = (...more: readonly string[]): number => {
    const text = execFileSync('openssl', ['speed', '-seconds', String(seconds), ...more, algorithm], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return Number(text.trim().split(/\s+/).at(-1)) // the last column of the last line is verify/s
  }
  try {
    const version = execFileSync('openssl', ['version'], { encoding: 'utf8' }).split(' ').slice(0, 2).join(' ')
    return { version, perCore: speed(), allCores: speed('-multi', String(cpus().length)) }
  } catch {
    return undefined
  }
}
