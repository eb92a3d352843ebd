import type { Mail } from '../../core/ports/mailer.ts'

/* The words of a mail: ours, or those of a template. */

export type MailContent = { readonly subject: string; readonly text: string; readonly html: string }
export type Template = { readonly text?: string | undefined; readonly html?: string | undefined }

const WORDS = {
  code: {
    subject: (app: string) => `Sign in to ${app}`,
    text: 'Your code is:',
    link: 'Or open this link:',
    end: 'It can be used once, for a few minutes. If you did not ask for it, ignore this mail.',
  },
  credential: {
    subject: (app: string) => `Sign in to ${app}`,
    text: 'Paste this into the page where you asked to sign in:',
    link: 'Or open this link in the same browser:',
    end: 'It is of use in that page alone, for a while. If you did not ask for it, ignore this mail.',
  },
  recovery: {
    subject: (app: string) => `Recover your access to ${app}`,
    text: 'Paste this into the page where you asked to recover your access:',
    link: 'Or open this link in the same browser:',
    end: 'It is of use in that page alone, for a while. If you did not ask for it, tell your administrator.',
  },
} as const

/** Without an app, nobody in particular asks. */
const ANY_APP = 'your account'

export const contentOf = (mail: Mail, template: Template | undefined): MailContent => {
  const words = WORDS[mail.what]
  const app = oneLine(mail.appName ?? ANY_APP)
  const link = linkOf(mail)
  const subject = words.subject(app)
  const lines = [words.text, mail.secret, ...(link === undefined ? [] : [words.link, link]), words.end]
  const values = valuesOf(mail, app, link)
  return {
    subject,
    text: template === undefined ? `${lines.join('\n\n')}\n` : filled(template.text ?? '', values, (value) => value),
    html: template === undefined ? htmlOf(mail, subject, lines, link) : filled(template.html ?? '', values, escaped),
  }
}

const linkOf = ({ magicLinkTemplate, secret }: Mail): string | undefined =>
  magicLinkTemplate?.replace('%s', () => encodeURIComponent(secret))

const htmlOf = (
  { logoUrl, secret }: Mail,
  subject: string,
  lines: readonly string[],
  link: string | undefined,
): string => {
  const logo = logoUrl === undefined ? '' : `<p><img src="${escaped(logoUrl)}" alt="" width="340"></p>`
  const shown = (line: string): string => {
    const text = escaped(line)
    if (line === secret) return `<p><code>${text}</code></p>`
    return line === link ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`
  }
  const body = `${logo}${lines.map(shown).join('')}`
  return `<!doctype html><html><head><meta charset="utf-8"><title>${escaped(subject)}</title></head><body>${body}</body></html>`
}

type Values = { readonly [name: string]: string }

const valuesOf = ({ secret, what, logoUrl = '', templateVariables = {} }: Mail, app: string, link = ''): Values => ({
  '.AppName': app,
  '.LogoUrl': logoUrl,
  '.MagicLink': link,
  '.OtpCode': what === 'code' ? secret : '',
  '.Bundle': what === 'code' ? '' : secret,
  ...Object.fromEntries(
    Object.entries(templateVariables).map(([name, value]) => [
      `index .TemplateVariables ${JSON.stringify(name)}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ),
})

/** Fills in what stands in double braces; what has no value becomes the empty text. */
const filled = (template: string, values: Values, write: (value: string) => string): string =>
  template.replace(/\{\{\s*(.*?)\s*\}\}/g, (_, name: string) =>
    write(Object.hasOwn(values, name) ? (values[name] ?? '') : ''),
  )

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** As a header may have it. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
