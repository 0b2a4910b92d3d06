import { oneOf, yesOrNo } from './settings-types.ts'

/** The levels of our log. The other words are those of zap, which has more of them. */
export const logLevel = oneOf(['error', 'warn', 'info', 'debug'], {
  warning: 'warn',
  trace: 'debug',
  dpanic: 'error',
  panic: 'error',
  fatal: 'error',
})

/** A level as zap's flag takes it: a number stands for ever more of debug. */
export const zapLevel: typeof logLevel = {
  ...logLevel,
  takes: `${logLevel.takes}, or a whole number above 0`,
  parse: (given) => (/^[1-9]\d*$/.test(given) ? 'debug' : logLevel.parse(given)),
}

export const logFormat = oneOf(['json', 'text'])

/** A format by the names of zap's encoders. */
export const zapEncoder: typeof logFormat = oneOf(['json', 'text'], { console: 'text' })

/** A format by whether it is JSON. */
export const logJson: typeof logFormat = {
  ...logFormat,
  placeholder: yesOrNo.placeholder,
  takes: yesOrNo.takes,
  parse: (given) => (yesOrNo.parse(given) ? 'json' : 'text'),
}
