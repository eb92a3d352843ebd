import { publicPathOf, writeProxyKeys } from './proxy-keys.ts'
import { say } from './print.ts'
import { mustBeNew } from '../files/whole-file.ts'

export type ProxyInitOptions = { readonly out: string }

/** Makes the keys of an auth proxy. There is no way to replace them: what was encrypted to them would be lost. */
export const proxyInit = async ({ out }: ProxyInitOptions): Promise<number> => {
  await mustBeNew(out)
  await writeProxyKeys(out)
  say(
    `The keys of the proxy are in ${out}. Keep it secret. Give ${publicPathOf(out)} to the server, with --auth-proxy.`,
  )
  return 0
}
