import { realApi } from '#test/conformance/apis.ts'
import { providerContract } from './provider-contract.ts'

providerContract(realApi, '127.64')
