import * as t from '../../codec/t.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { Mail } from '../../ports/mailer.ts'

/* How a request wants its mail or short message to look. The empty text counts as left out, in every member. */

const orEmpty = (expected: string, is: (text: string) => boolean, message?: string) =>
  t.canonical(
    t.string,
    expected,
    (text) => (text === '' || (text.length <= 4_096 && is(text)) ? text : undefined),
    message,
  )

const isUrl = (text: string): boolean => URL.canParse(text) && /^https?:/i.test(text)

const LogoUrl = orEmpty('an https URL', (text) => URL.canParse(text) && /^https:/i.test(text))
const MagicLinkTemplate = orEmpty(
  'a URL with exactly one %s',
  (text) => text.split('%s').length === 2 && isUrl(text.replace('%s', 'x')),
  'invalid magic link template: expected a URL with exactly one %s',
)
const TemplateVariables = orEmpty(
  'a JSON object as a text',
  (text) => variablesIn(text) !== undefined,
  'failed to unmarshal template variables: expected a JSON object as a text',
)
export const TemplateId = orEmpty('a UUID', t.Uuid.is)
const SmsTemplate = orEmpty(
  'a text of at most 1000 characters with {{.OtpCode}}',
  (text) => text.length <= 1_000 && CODE.test(text),
)
const CODE = /\{\{\s*\.OtpCode\s*\}\}/

const members = {
  logoUrl: LogoUrl,
  magicLinkTemplate: MagicLinkTemplate,
  templateVariables: TemplateVariables,
  templateId: TemplateId,
}

/** With the name of the app, which later versions want beside it. */
export const EmailCustomization = t.fields({}, { appName: t.TextOrEmpty, ...members })
export const EmailCustomizationWithApp = t.fields({ appName: t.Label }, members)
export const EmailCustomizationV2 = t.fields({}, members)
export type EmailCustomization = t.TypeOf<typeof EmailCustomization>

export const SmsCustomization = t.fields({}, { template: SmsTemplate })

/** Who a mail is from, and who gets the answer. */
export const senders = {
  sendFromEmailAddress: t.EmailOrEmpty,
  sendFromEmailSenderName: t.LabelOrEmpty,
  replyToEmailAddress: t.EmailOrEmpty,
}
export type Senders = { readonly [name in keyof typeof senders]?: string | undefined }

const variablesIn = (text: string): { readonly [name: string]: unknown } | undefined => {
  try {
    const json = parseJson(text)
    return t.JsonObject.is(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** As a mailer gets it, without what is empty. */
export const customized = (
  { appName, logoUrl, magicLinkTemplate, templateId, templateVariables = '' }: EmailCustomization,
  { sendFromEmailAddress, sendFromEmailSenderName, replyToEmailAddress }: Senders,
): Omit<Mail, 'organizationId' | 'to' | 'what' | 'secret'> => ({
  appName: appName || undefined,
  logoUrl: logoUrl || undefined,
  magicLinkTemplate: magicLinkTemplate || undefined,
  templateId: templateId || undefined,
  templateVariables: variablesIn(templateVariables),
  sendFromEmailAddress: sendFromEmailAddress || undefined,
  sendFromEmailSenderName: sendFromEmailSenderName || undefined,
  replyToEmailAddress: replyToEmailAddress || undefined,
})

/** The words of a short message. */
export const textWith = (template: string | undefined, code: string, appName: string | undefined): string =>
  template ? template.replace(new RegExp(CODE, 'g'), code) : `${code} is your code${appName ? ` for ${appName}` : ''}.`
