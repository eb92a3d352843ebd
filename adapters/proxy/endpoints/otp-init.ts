import { createHash } from 'node:crypto'
import * as t from '../../../core/codec/t.ts'
import { TemplateId } from '../../../core/resources/otp/customization.ts'
import { WithApp } from '../../../core/resources/otp/send-code.ts'
import { normalContact, OtpType } from '../../../core/resources/verification/contact.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { methodOfCode } from './auth-methods.ts'
import { encoded, secondsOf } from './wire.ts'

const Request = t.fields(
  { otpType: OtpType, contact: t.Text },
  { emailCustomization: t.fields({}, { templateId: TemplateId }) },
)
type Request = t.TypeOf<typeof Request>

type Version = { readonly path: string; readonly type: string; readonly resultName: string }

/** Sends a code: how it looks, and how long it lives, is the configuration's to say. */
const sendsCode = ({ path, ...activity }: Version): Endpoint<Request> => ({
  path,
  request: Request,
  methodOf: ({ otpType }) => methodOfCode(otpType),
  contactOf: normalContact,
  needsCaptcha: 'always',
  answer: (request, call) => {
    const { organizationId } = call.config
    return call.submit({ ...activity, path: 'init_otp', organizationId, parameters: codeWanted(request, call) })
  },
})

/** A template that the client names counts over those of the configuration, and that for codes over that for all mails. */
const codeWanted = ({ otpType, contact, emailCustomization: named }: Request, { config, address }: Call) => {
  const { appName, ...customization } = config.emailCustomizationParams ?? {}
  return encoded(WithApp, {
    otpType,
    contact,
    appName: appName || config.organizationName,
    emailCustomization: {
      ...customization,
      templateId: named?.templateId || config.otpTemplateId || customization.templateId,
    },
    smsCustomization: config.smsCustomizationParams,
    userIdentifier: address === null ? undefined : identifierOf(address, config.configId),
    sendFromEmailAddress: config.sendFromEmailAddress,
    sendFromEmailSenderName: config.sendFromEmailSenderName,
    replyToEmailAddress: config.replyToEmailAddress,
    otpLength: config.otpLength,
    alphanumeric: config.otpAlphanumeric,
    expirationSeconds: secondsOf(config.otpExpirationSeconds),
  })
}

/** By what the API counts who asks for codes. An address is personal: nobody but the proxy gets to know it. */
const identifierOf = (address: string, configId: string): string =>
  createHash('sha256')
    .update(JSON.stringify([address, configId]))
    .digest('hex')

export const otpInit = sendsCode({
  path: '/v1/otp_init',
  type: 'ACTIVITY_TYPE_INIT_OTP_V2',
  resultName: 'initOtpResult',
})

export const otpInitV2 = sendsCode({
  path: '/v1/otp_init_v2',
  type: 'ACTIVITY_TYPE_INIT_OTP_V3',
  resultName: 'initOtpResultV2',
})
