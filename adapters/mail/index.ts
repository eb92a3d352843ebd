/**
 * Mailers: one that sends by SMTP, and one that prints.
 *
 * @module
 */
export { consoleMailer } from './console-mailer.ts'
export { smtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'
