/**
 * Short messages: by the message resource of Twilio, or printed.
 *
 * @module
 */
export { consoleSms } from './console-sms.ts'
export { twilioSms, type TwilioSmsOptions } from './twilio-sms.ts'
