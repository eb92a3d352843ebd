import { ApiKeyStamper, SignatureFormat } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, encryptOtpCodeToBundle, type generateP256KeyPair } from '@turnkey/crypto'
import type { TActivity } from '@turnkey/http'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { smtpMailer } from '../../../adapters/mail/index.ts'
import { twilioSms } from '../../../adapters/sms/index.ts'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { mailServer, type Arrived } from '../../adapters/mail/mail-server.ts'
import { smsService, type Heard } from '../../adapters/sms/sms-service.ts'
import { right, type Person, type Signer } from '../../core/world/world.ts'
import { onStage, publishedKey, type Stage, type StageOptions } from './stage.ts'

/** A stage whose mails went by SMTP to a server, and whose short messages by HTTP. */
export type Post = Stage & { readonly arrived: readonly Arrived[]; readonly heard: readonly Heard[] }

/** The address that mails are from. */
export const OFFICE = 'office@example.com'

export const onStageWithPost = async (
  play: (post: Post) => Promise<void>,
  { ports, ...options }: StageOptions = {},
): Promise<void> => {
  const [mails, messages] = await Promise.all([
    mailServer(),
    smsService((response) => response.writeHead(201).end('{"sid":"SM1"}')),
  ])
  const clock = systemClock()
  const mailer = smtpMailer({ url: mails.url, from: OFFICE, clock })
  const sms = twilioSms({ url: messages.url, clock })
  try {
    await onStage((stage) => play({ ...stage, arrived: mails.arrived, heard: messages.heard }), {
      ...options,
      ports: { mailer, sms, sandboxContacts: false, ...ports },
    })
  } finally {
    await Promise.all([mails.close(), messages.close()])
  }
}

/** The code, or the bundle, in the text of a mail: it has a paragraph of its own. */
export const secretIn = (arrived: Arrived | undefined): string => arrived?.mail.text?.split('\n\n')[1]?.trim() ?? ''

/** The same in the last mail. */
export const mailed = ({ arrived }: Post): string => secretIn(arrived.at(-1))

/** The code in the last short message: the first word. */
export const texted = ({ heard }: Post): string => heard.at(-1)?.form['Body']?.split(' ')[0] ?? ''

/** The result of an activity of another version than those of the clients' methods, by their method for any request. */
export const olderResult = async <Result = { readonly [member: string]: string }>(
  { http, asks }: Stage,
  person: Person,
  path: string,
  type: string,
  parameters: object,
): Promise<Result> => {
  type Answer = { readonly activity: TActivity }
  const { activity } = await http(person).request<object, Answer>(`/public/v1/submit/${path}`, asks(type, parameters))
  if (activity.type !== type) throw new Error(`${type} became ${activity.type}`)
  return Object.values(activity.result)[0] as Result // as its version is specified
}

type Started = { readonly otpId: string; readonly otpEncryptionTargetBundle: string }

/** Says what the code was, encrypted together with a key: the token. */
export const verified = async (
  stage: Stage,
  { otpId, otpEncryptionTargetBundle }: Started,
  code: string,
  key: Pick<Key, 'publicKey'>,
) => {
  const published = await publishedKey(stage, 'verification')
  const encryptedOtpBundle = await encryptOtpCodeToBundle(code, otpEncryptionTargetBundle, key.publicKey, published)
  return (await stage.sdk(stage.root).verifyOtp({ otpId, encryptedOtpBundle })).verificationToken
}

/** A key of a client. */
export type Key = ReturnType<typeof generateP256KeyPair>

/** A message about a token, signed by the key of the token. */
export const clientSignature = async ({ privateKey }: Key, said: { message: string; publicKey: string }) => {
  const stamper = new ApiKeyStamper({ apiPublicKey: said.publicKey, apiPrivateKey: privateKey })
  const signature = await stamper.sign(said.message, SignatureFormat.Raw)
  return { ...said, scheme: 'CLIENT_SIGNATURE_SCHEME_API_P256' as const, signature }
}

/** Who signs by the key in a bundle that was encrypted to the client's key. */
export const opened = (bundle: string, { privateKey }: Key): Signer => ({
  key: right(signingKey('API_KEY_CURVE_P256', decryptCredentialBundle(bundle, privateKey))),
})
