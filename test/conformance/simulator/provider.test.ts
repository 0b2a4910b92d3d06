import { anApi } from '#test/an-api.ts'
import { providerContract } from './provider-contract.ts'

providerContract({ name: 'embedded API', start: () => anApi() }, '127.63')
