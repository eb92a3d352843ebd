/** A local node of an EVM network, in a process of its own: `hardhat`, which mines each transaction at once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from '../../temporary-folder.ts'

export type EvmNode = {
  /** Of its JSON-RPC interface. */
  readonly url: string
  /** Gives an address ether; the amount is in wei. */
  readonly fund: (address: string, amount: bigint) => Promise<void>
  readonly close: () => Promise<void>
}

export const CHAIN_ID = 31_337

/** Has the rules of Prague, and so transactions of the types 0, 1, 2 and 4. */
const CONFIG = `module.exports = { networks: { hardhat: { chainId: ${CHAIN_ID}, hardfork: 'prague' } } }`

/** Starts a node on a free port of 127.0.0.1, and waits until it answers. */
export const startEvmNode = async (): Promise<EvmNode> => {
  const { path, remove } = await temporaryFolder()
  const config = join(path, 'hardhat.config.cjs')
  writeFileSync(config, CONFIG)
  const server = spawn(
    process.execPath,
    [COMMAND, '--config', config, 'node', '--hostname', '127.0.0.1', '--port', '0'],
    { cwd: path, env: { ...process.env, ...withoutTraces(path) }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const kill = (): void => void server.kill('SIGKILL')
  const onExit = (): void => {
    kill()
    rmSync(path, { recursive: true, force: true })
  }
  process.once('exit', onExit)
  const ended = once(server, 'close')
  const close = async (): Promise<void> => {
    kill()
    await ended
    await remove()
    process.off('exit', onExit)
  }
  let said = ''
  server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const listening = new Promise<string>((resolve) =>
    createInterface({ input: server.stdout }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    }),
  )
  const url = await Promise.race([listening, ended.then(() => undefined)])
  try {
    if (url === undefined) throw new Error(`the EVM node ended before it listened: ${said}`)
    if (Number(await call(url, 'eth_chainId', [])) !== CHAIN_ID) throw new Error('expected a node of the local chain')
  } catch (error) {
    await close()
    throw error
  }
  const fund = async (address: string, amount: bigint): Promise<void> => {
    await call(url, 'hardhat_setBalance', [address, `0x${amount.toString(16)}`])
  }
  return { url, fund, close }
}

const COMMAND = join(
  dirname(createRequire(import.meta.url).resolve('hardhat/package.json')),
  'internal/cli/bootstrap.js',
)

/** The node keeps its files in its own folder, and asks nobody for telemetry. */
const withoutTraces = (folder: string): Readonly<Record<string, string>> => ({
  HOME: folder,
  XDG_CACHE_HOME: folder,
  XDG_CONFIG_HOME: folder,
  XDG_DATA_HOME: folder,
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  HARDHAT_EXPERIMENTAL_ALLOW_NON_LOCAL_INSTALLATION: 'true', // the folder of its configuration has no packages
})

const call = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: object } // JSON-RPC
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}
