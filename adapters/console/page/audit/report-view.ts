import { headsFileOf, headText } from '../../../../core/audit/known-text.ts'
import type { AuditReportJson } from '../../../../core/audit/report-json.ts'
import { believedLines, comparedLine, countLines, erasedLines, everythingHolds } from '../../../audit/report-lines.ts'
import { escapedLine } from '../../../inbox/escape.ts'
import { html, type Shown } from '../html.ts'
import { auditTexts as texts } from './audit-texts.ts'

type Finding = AuditReportJson['findings'][number]
type Organization = AuditReportJson['organizations'][number]

/** How many organizations are shown. */
const ORGANIZATIONS_MAX = 200

/** The outcome of an audit in one line. */
export const outcomeOf = ({ findings, omitted, compared }: AuditReportJson): string =>
  findings.length + omitted === 0
    ? `${texts.noFindings}: ${everythingHolds(compared)}`
    : texts.outcome(findings.length + omitted)

/** A report, findings first. Everything in it that the log says is text. */
export const ReportView = ({ report }: { readonly report: AuditReportJson }): Shown => {
  const isClean = report.findings.length + report.omitted === 0
  return html`<div class="audit-report">
    ${isClean ? html`<${NotCompared} report=${report} />` : html`<${Findings} report=${report} />`}
    <${Organizations} report=${report} isClean=${isClean} />
    <h2>${texts.counts}</h2>
    <ul class="report-lines">
      ${linesOf(report).map((line) => html`<li>${escapedLine(line)}</li>`)}
    </ul>
  </div>`
}

const linesOf = (report: AuditReportJson): readonly string[] => [
  ...countLines(report.counts),
  ...erasedLines(report),
  ...believedLines(report.counts, texts.mayBeMissing),
  comparedLine(report.compared),
]

/** What a log without findings can still lack. */
const NotCompared = ({ report: { compared } }: { readonly report: AuditReportJson }): Shown => {
  const withoutHead = compared.organizations - compared.withHead
  return withoutHead === 0
    ? []
    : html`<ul class="not-compared">
        <li>${texts.withoutHead(withoutHead)}</li>
        ${compared.withNeither > 0 && html`<li>${texts.withoutPin(compared.withNeither)}</li>`}
      </ul>`
}

const Findings = ({ report: { findings, omitted } }: { readonly report: AuditReportJson }): Shown =>
  html`<h2>${texts.findings}</h2>
    ${omitted > 0 && html`<p>${texts.firstOf(findings.length, findings.length + omitted)}</p>`}
    ${Object.entries(texts.hints).map(
      ([code, hint]) => findings.some((finding) => finding.code === code) && html`<p class="hint">${hint}</p>`,
    )}
    <ol class="findings">
      ${findings.map((finding) => html`<${FindingItem} finding=${finding} />`)}
    </ol>`

const FindingItem = ({ finding }: { readonly finding: Finding }): Shown => {
  const { code, message, line, organization, sequence } = finding
  const place = [texts.line(line), organization, sequence === undefined ? undefined : texts.sequence(sequence)]
  return html`<li class="finding">
    <strong class="finding-code">${code}</strong>
    <p class="finding-message">${escapedLine(message)}</p>
    <p class="finding-place">${escapedLine(place.filter((part) => part !== undefined).join(', '))}</p>
  </li>`
}

const Organizations = ({
  report: { organizations },
  isClean,
}: {
  readonly report: AuditReportJson
  readonly isClean: boolean
}): Shown =>
  html`<h2>${texts.organizations}</h2>
    ${
      organizations.length > ORGANIZATIONS_MAX && html`<p>${texts.firstOf(ORGANIZATIONS_MAX, organizations.length)}</p>`
    }
    <ul class="organizations">
      ${organizations
        .slice(0, ORGANIZATIONS_MAX)
        .map((one) => html`<${OrganizationItem} one=${one} isClean=${isClean} />`)}
    </ul>
    ${
      isClean &&
      organizations.length > 0 &&
      html`<button type="button" onClick=${() => saveHeads(organizations)}>${texts.saveHeads}</button>`
    }`

/** The head to keep is shown only where it can be trusted: a log with findings has no good end. */
const OrganizationItem = ({ one, isClean }: { readonly one: Organization; readonly isClean: boolean }): Shown =>
  html`<li class="organization">
    <h3>${escapedLine(one.organization)}</h3>
    <dl>
      <dt>${texts.genesis}</dt>
      <dd><code>${one.genesis ?? texts.noGenesis}</code> (${one.isPinned ? texts.pinned : texts.notPinned})</dd>
      <dt>${texts.end}</dt>
      <dd>
        <code>${texts.endText(one.hash, one.sequence)}</code> (${
          one.isHeadCompared ? texts.headCompared : texts.headNotCompared
        })
      </dd>
      ${
        isClean &&
        html`<dt>${texts.keep}</dt>
          <dd><code class="head">${headText({ ...one, sequence: BigInt(one.sequence) })}</code></dd>`
      }
    </dl>
  </li>`

const saveHeads = (organizations: readonly Organization[]): void => {
  const text = `${JSON.stringify(headsFileOf(organizations), undefined, 2)}\n`
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href, download: texts.headsFileName })
  link.click()
  URL.revokeObjectURL(href)
}
