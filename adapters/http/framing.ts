import type { IncomingMessage } from 'node:http'
import { failure } from '../../core/failure.ts'
import { errorReply, type Reply } from './reply.ts'

/**
 * Why a request is refused that Node's parser accepts, although RFC 9112 says that a server must refuse it; `undefined` if it
 * is not refused. If a proxy and this server read such a request differently, a caller can hide a second request from the proxy.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
export const refusalOfFraming = ({ headers, rawHeaders, httpVersion }: IncomingMessage): Reply | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return notHttp // 2.3
  const { host } = headers
  if (host === undefined && httpVersion === '1.1') return noHost // 3.2
  if (host !== undefined && (!HOST.test(host) || isSentTwice('host', rawHeaders))) return badHost // 3.2
  const transfer = headers['transfer-encoding']
  if (transfer === undefined) return undefined
  if (httpVersion === '1.0') return chunkedTooEarly // 6.1
  return transfer.toLowerCase() === 'chunked' ? undefined : unknownTransfer // 6.1, 6.3
}

/** Whether a header is sent twice: `request.headers` has only the first one. */
const isSentTwice = (name: string, rawHeaders: readonly string[]): boolean => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count > 1
}

/** `uri-host [ ":" port ]` of RFC 3986, with the zones of RFC 6874. */
const HOST =
  /^(?:\[(?:[\da-f:.]+(?:%25[\w.~-]+)?|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

const invalid = (message: string): Reply => errorReply(failure('REQUEST_INVALID', message), { closes: true })

export const notHttp = invalid('expected a request of HTTP/1.1')
const noHost = invalid('the header Host is missing')
const badHost = invalid('expected the header Host once, with a host and perhaps a port')
const chunkedTooEarly = invalid('a request of HTTP/1.0 cannot have a transfer encoding')
const unknownTransfer = errorReply(failure('UNSUPPORTED', 'the only transfer encoding that can be read is chunked'), {
  closes: true,
})
