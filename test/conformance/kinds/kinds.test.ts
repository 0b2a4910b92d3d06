import { anApi } from '#test/an-api.ts'
import { kindsContract } from './kinds-contract.ts'

kindsContract({ name: 'embedded API', start: () => anApi() })
