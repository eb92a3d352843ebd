import { createInterface } from 'node:readline'
import { input, isTerminal, say } from './print.ts'

/** Whether somebody can be asked: they see standard error, and type on standard input. */
export const canAsk = (): boolean => input().isTTY === true && isTerminal('stderr')

/** Asks on the terminal, and waits for a line. Only `yes` is a yes; the end of the input is none. */
export const confirm = async (question: string): Promise<boolean> => {
  say(`${question} Type yes to go on:`)
  const lines = createInterface({ input: input() })
  try {
    for await (const line of lines) return line.trim().toLowerCase() === 'yes'
    return false
  } finally {
    lines.close()
  }
}
