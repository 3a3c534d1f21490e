/**
 * Digests of the files that an import of each commit of tau-bench's main line reads.
 *
 * Recorded by `test/pack-tools/import/record-known-commits.ts`; not written by hand.
 */

export interface KnownFile {
  readonly path: string;
  /** The versions that there have been. */
  readonly sha256: readonly string[];
}

/** Commits whose files are the same. */
export interface KnownState {
  /** A digit (base 36) a file, in the order of {@link KNOWN_FILES}: which version, from 1; 0 where it is not there. */
  readonly versions: string;
  /** Oldest first. */
  readonly commits: readonly string[];
}

export const KNOWN_FILES: readonly KnownFile[] = [
  { path: 'LICENSE', sha256: ['243d23d45b80122b5ac575586ccef352fdc9c45e6d7d2605449aca8a17478b42'] },
  {
    path: 'few_shot_data/MockAirlineDomainEnv-few_shot.jsonl',
    sha256: ['7b14cd22355cd8245662e6d2b54e5dcad7e7e7e14f2e2e009a5649f915d9ac11'],
  },
  {
    path: 'few_shot_data/MockRetailDomainEnv-few_shot.jsonl',
    sha256: ['091066a735d3d2605441764e0a2c6dcc93fb6595b400ff5e354416e6c8ba4a3a'],
  },
  {
    path: 'tau_bench/agents/chat_react_agent.py',
    sha256: [
      'a72ad3d05000c9593f80b9fa136fdc177c306162f11c5dcc9370e65b714548d4',
      '1255dd6d0c0d31512595d89e6697efdc18e4cd241f30455c0687eacd6a045c90',
      '004ea9007c0dceb4cb6611ca3cee3bcfb3d1fb1a810a1a7f718411cd238346ad',
      'c545fe77d51a24d0595e719d6bd234f1342a33477f507bc72a29545c04193cb9',
    ],
  },
  {
    path: 'tau_bench/agents/few_shot_agent.py',
    sha256: ['7e57348ad6a18a4de4d6ba75a6dfa1f6de4442f7f90b17127e26574ef348b612'],
  },
  {
    path: 'tau_bench/agents/tool_calling_agent.py',
    sha256: [
      '40661c68b4b71163f5134efcafc2e3350eb40e9d6096ae24f5b3715c75e32fbc',
      '855d99978f0b7ba1226edc9372d1504765a7d2a439f99e8b99b9cef1ea56bd61',
      'c88b9fe99b255c2c7b2fc76085c4c30862f5fcd97040b3437bdca9e6d5c1ca86',
      '2d4a02ccd14cb6bdbbeafde49d5d682690625875feb6c9506f903bf98b0792f8',
    ],
  },
  {
    path: 'tau_bench/envs/airline/__init__.py',
    sha256: [
      '358d84ab6e14ead05de85a837e5dc85a7531463fdec322ffdbaecfd1b4fc78f9',
      'b6f1aaa72289906537e54b5f6ecdb83ae58955469c1f51ee2bab34a7a522b76d',
    ],
  },
  {
    path: 'tau_bench/envs/airline/data/__init__.py',
    sha256: [
      'a9d45e61db304bd5fd6cc035fbc5f51ba5bd6cf4945bb4ff410b1cbe22ad0993',
      'eca21174cec321e2c3e0438e9bf67035dbb3a8551dc2a1d3a793b4395d8192c1',
    ],
  },
  {
    path: 'tau_bench/envs/airline/data/flights.json',
    sha256: ['444d7565c68434a3e3fb72efd717f9f9cd5c56dce227f6f56e078f1cb0ed233a'],
  },
  {
    path: 'tau_bench/envs/airline/data/reservations.json',
    sha256: ['1cf0bbc58ad984be9de7c24dba6dd27393f94cdbd482d8524f6a54db1f561a8c'],
  },
  {
    path: 'tau_bench/envs/airline/data/users.json',
    sha256: [
      '224c2ee6cbdff81b2890c25bb4b9dfb4e66c21d289fb3f2b9f76fa00596b8550',
      'bd264e2a31e0fa35cdfef8987e70a0dd3776828b582fe90e7a44823a12eb4cea',
    ],
  },
  {
    path: 'tau_bench/envs/airline/env.py',
    sha256: [
      'ca1c41350cde3452166502af3243f1285d79cd7648f4ce2e5644a9e150e9738a',
      'a063e2e9af76b38f175bc74c9983aba8af6f455c8b511102510e99147fe45cca',
      'e198f7f9d9f516df164ac990df38bb9b4fe26035bd25fcfb5dac696394bdd413',
    ],
  },
  {
    path: 'tau_bench/envs/airline/rules.py',
    sha256: [
      '6924d72d1d8e01fd89d941df775085b013addfb6d64ffdf45761ff05f7a9e76d',
      'da3d5a5db6ddbf3d0071e5ece8d9297ccf89914ded93c8187043c5eecf58adfc',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tasks.py',
    sha256: ['91cc059f18690e8e0e780dd2b7a18fb5a61a29eb8fbb018d259a61561d186626'],
  },
  {
    path: 'tau_bench/envs/airline/tasks_test.py',
    sha256: [
      'f19fc8f4949919725af67692b55ea15d21bc02d87f78f97e425d66ca1ccde2d1',
      '14cdb6b4fe810faac9a0cc8395d3c7b32c883a979d1cde8c8003ae25a93d2ff3',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/__init__.py',
    sha256: [
      '7efbeb30e97fdeb9a6eb426044907a0d181bf577549c1000f88102776642259b',
      '98cbafc429cf917a088112b652ec6ef8641b509f0981c04047875f90ec4967f3',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/book_reservation.py',
    sha256: [
      'c26eb4e1b43cd1ed4d1e544782b488993a8d7642884bb1e7647eb51dcafb7663',
      '927ca66e6bf289d27582c939d7300ee028ed0a237e2592afed160265f9953304',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/calculate.py',
    sha256: [
      '1fa02af9f033aeac801afa93c3d79322638cc52510730ecd8e617ffdf28da57e',
      '3be497428304817e4dae17222dc9d1d41a27d28bf0abc2a613687a6e890d70fe',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/cancel_reservation.py',
    sha256: [
      'b7583e9293834c00940f34873e38d190173fa6678f233c4c722e928ac7b2730f',
      '5dd83916f9dce20a4bac6ecf45c2f4555ae28f0981339c7d237d3f98af2e6b98',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/get_reservation_details.py',
    sha256: [
      'ef114e7c5332e0141923096b2f5214764c142fe5de7d6befd5ef1e30a030345c',
      '3c45957d9489e4226000de99f015c67ca5cc920f867c5a5739edba20cd920b6b',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/get_user_details.py',
    sha256: [
      'a517fae6a162a4600b2852c7ea3b90b7564e552c47e06562a028443b464a2124',
      'a77e91f02a78e6fd6cfe36c9e18176b5f97fb3ec4db67544aaa003fcd348f58b',
      '50cd80bee1fa2da99852ebd37289964f0b5f34994d9f34104f7d6953216fa7c4',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/list_all_airports.py',
    sha256: [
      '160c52f85109265f9c81389fb8e9165651d65db83a3dc82839f3564e301673ba',
      '8c6921b793ce6e93bfa18024e40fa1136f8c4e8204f8fa6f0248beaf674651ba',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/search_direct_flight.py',
    sha256: [
      '22e9c2a1231d217291731fd51a2439e6931329713276e95e5ea70e4d4957874f',
      'ca64bab422da436c0ab9e3a77135f786ca934e8cb917d502f0dbab2847716c78',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/search_onestop_flight.py',
    sha256: [
      '71df70bf28713b98b950c00d27003704464723080ba9da8c2499db8cece1f8c6',
      '205b32a28de70bff29f8846c875964af78c6d6d94685bf79579861b3308efa3d',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/send_certificate.py',
    sha256: [
      '12a4c618befa85b30ec971d7f71724f02b8d3e3ac986fa47efab24a03a36dcac',
      'd067a526d0a3579cd4a814fa14d231a62da4854520124ff2af8969f16715a773',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/think.py',
    sha256: [
      'd7147670abb6983fb89efb2d9241f603f4798bc5a82aa35cda80f97ab79bebec',
      'ff2b17409d3d6fade8657e2ada46b0b50e33c6570502cba4ec0202652c51ffa5',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/transfer_to_human_agents.py',
    sha256: [
      '1f48503af0b5d07b7abb6f2db69f52ca4b8d8096bc6e86a9fbd697feea007826',
      'd3f105f8a8efc11e8dbb039b12e9e1d86d7c1f1ae16a26bd2bbf41cde2b21db6',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/update_reservation_baggages.py',
    sha256: [
      'e4a313ac6a76a507921ab0295f8c8c1ce2c0d22ffb02e9bd795fab6f23586fb8',
      '5b72dc0fcd0a2ae21bb116ddc0a76dcc5d2fc2c71dec1fae75942f24f5d6eafd',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/update_reservation_flights.py',
    sha256: [
      'b4a26da9b10e3158253e5651e7dcc31376e9cbc56f7c3b02b1fe6eb9ea1cef27',
      '58ef41d20d5ba53782dce1bbcbd514aaa6fcb0670980f54070d8263ab9f8b985',
    ],
  },
  {
    path: 'tau_bench/envs/airline/tools/update_reservation_passengers.py',
    sha256: [
      '6dbbd74ea45d1d37ded1dba9f1652245520160e93d8b4ca5e058da66b90be3df',
      '6ed46b57dc3c6c487219720a10f116774686046f11868c747493ae9a703d2957',
    ],
  },
  {
    path: 'tau_bench/envs/airline/wiki.md',
    sha256: [
      'f81115d5d3cfe2f0c35ca17291e0f36aa2ccee81c00d765a7ea3b07676dcac15',
      '56c335801c16e26b54f600f9db99eb04d31db477e86eb160341d5c66b796c5c8',
    ],
  },
  {
    path: 'tau_bench/envs/airline/wiki.py',
    sha256: [
      'ac174825a13b3b1593f049a5982a28292e3fbc6bfed3fc5dbd17b27225260f8c',
      'efaca90439528324fabb991574fc1725c06fdcd88e1eb1983aebede4ba03b9ed',
    ],
  },
  {
    path: 'tau_bench/envs/base.py',
    sha256: [
      '93ae15cbd27b1edb4cbdcd783f9eda5b26c890b7ae34e0ee10192158e983b6fb',
      '30762d95e6f3b9ed9818006afdc053430ffd26a3b3fb078c63e70faaa66ec818',
      '64cca2a6190b92e5b8ed262ae89c195f21961bfb16d406ec3c3f546ed7fb6ec9',
      'd3f557a4c39c86bf0913467a3e0120cd746a4d445b97a9f44687a82ab3bec4d3',
      '1da7c47bddfc9caf8f6435736c2631c7d5ec6e46d92291197e0d4eab123f0dd3',
      '4b69373797cef79009588125b31f82ac0feaa3b92f0ee9c507a78cd7de20b840',
      '1ad0402073f0ac9ca6b527efa0706e2aa8836dd2e5c1d453ed414ecb768c6d21',
    ],
  },
  {
    path: 'tau_bench/envs/retail/__init__.py',
    sha256: [
      '5e68b4f6e154bd4d1317998be17fab442a8c76a09ede263b6fd0db539801592c',
      '56dcd8bd8cfff77391059aaabc213e23337414b6b2f2891150f7197c93eaab9e',
    ],
  },
  {
    path: 'tau_bench/envs/retail/data/__init__.py',
    sha256: [
      'b3e1af4f06b6591f26a8120784caea0d6013cd3f6e5cd80938c963a0e2ea88a6',
      'aaa0bc456497d79438c5c7602194444d2774f6d225ece1e9d3ad91e03bc1d288',
    ],
  },
  {
    path: 'tau_bench/envs/retail/data/orders.json',
    sha256: ['2598a12586d28f2d6bd16bc86f4c800029b6af18e0abb5c475ef5c869c11ced1'],
  },
  {
    path: 'tau_bench/envs/retail/data/products.json',
    sha256: ['a9eabcc1a9742c5f5288c2779acce52b9308423383ed24706bbaf0889f762a0f'],
  },
  {
    path: 'tau_bench/envs/retail/data/users.json',
    sha256: [
      'f65237e6ead656b28df1929274aeadbc147bcf4364be1d463f45261f8f01e308',
      '6f4fd104cc5e80b92166c4035315c31532c6cea52a90dcdf18425ee7f87c2b82',
    ],
  },
  {
    path: 'tau_bench/envs/retail/env.py',
    sha256: [
      '459685285e11d1c93afaf19f5af04c231d982d73492848c4becd48d599897cc6',
      '35f377e31ba06e5432d43aef2473bd0daffe084cb5aa101055bc73da5ba72e4d',
      '4d97b3f69c703d85665b5110ce75e4c1841f7c3064dbf0b7991606da9b32c516',
    ],
  },
  {
    path: 'tau_bench/envs/retail/rules.py',
    sha256: [
      '1c94487b9ca7c9b58d3bf8af0f024829800a355594a68261ca7a8c959da80b93',
      'f4450639d5a21713953685e0a430b8cfd4f359db3fdd4de45ff228449b05c812',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tasks.py',
    sha256: [
      '6abb6f392d6050f65d27936143a43b0732ad4e78c1b19a0cffd9ccb23354d765',
      'dfd3f41f49fb8adfe48d505a1bb9e49dac391f22d07824f1787f4a7fc15fe837',
      '2171b05d8bfc22d4b6f4ccb0a36568017dbaf76dbaea96822a037ebeca507364',
      'b3065698d4dc7cd2ed56b5c9a8b630b6fc144c490aad0826c8cf633eea98fda0',
      '40d6e8c9ceb35f60c8bf1bc971a9365a2723324090555f5275acb7a618e961e3',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tasks_dev.py',
    sha256: [
      '7fabff58236c629d37f2fc2728c8058a89e85371c285a0f78b3808d11d179583',
      '87dfe578d0271e7b0b5dfb40621a5c0dcc0e8452a75b8f3f8d1dcf0abac4ff14',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tasks_test.py',
    sha256: [
      'b66d727b0b2cbb2ef505736419914e7daae36605fa6b73c26f3b6d34e7910e1c',
      '669daa29e49c2f7ba9798afddb9cdb7fd5b55e1881791520e0763eb54f593094',
      'e13c31ed419a0719d3dff9a03e5c028f91d56a19226f256335b1a8daa9af7ab6',
      'e604baf3eb3bf24c233050b4baed93a162036eb5e04ed074bf6f66f7c6141b26',
      '61edbc961f92b11a8a13fe9e2480b332575665173606c11d783d9ab4895478da',
      'c55243a8c111b7b2a5ead790db3b1ae41d5bd8374e6ab7dcc75b4357a494248e',
      '6f09468923c6cfb6162e94fe659264d6aee70816c18d51278fb4a581db7765a4',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tasks_train.py',
    sha256: [
      '1ccf1e1eafd1cfa1a97b334dafd5f9169fc862b319f67bd409af399f49ce2d62',
      '30880ce4e8d524dd0fdd18c1d3a5713551fc8638e82673de3e0fd1ab70046c6f',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/__init__.py',
    sha256: [
      'bb264a46c6face7d6897e9f467250e27d5a205c8500b6462268e7e33802ac845',
      'db8f1252a01eaa333ee409d78858d5dcf5cdc2f27c24bc6d941615ccd2ac54df',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/calculate.py',
    sha256: [
      '1fa02af9f033aeac801afa93c3d79322638cc52510730ecd8e617ffdf28da57e',
      '2c3380802673493843ef6d7f3e569e2aed52265ca0b9f7ac248346828d0c75f7',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/cancel_pending_order.py',
    sha256: [
      'd46d23844f6d2e0e7129fc19bf526c77b0990872a5fc7f5d86e83c158e13ba96',
      'c33151a896b62ac87ed1bcbcbd62dabcd47c8c1eaf47bbb5e2f15f8b6283b19d',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/exchange_delivered_order_items.py',
    sha256: [
      'd33556ce50acd496fcf13a03023f194dcc168252d6149c42a14a542099607e18',
      'd547d44b28e97513d4a15714d4bd2bbca13f76827bfe06b71e1b51a742f44489',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/find_user_id_by_email.py',
    sha256: [
      '1c22c19910342fa87a74d9b2d70a2c248aed2098627580f52370f9232e95eb28',
      'a289f00eb689146f102d97951d6e7b29c9c639314c203efbfcd888f893d91560',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/find_user_id_by_name_zip.py',
    sha256: [
      '606646684a9bc1167d9ef0fb642a102fd4231def2851a89a9b122b5c22c779d9',
      '22c176ffc285b25db573e0e38d82d678e2641298c6d1318f69d2582d52eb7433',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/get_order_details.py',
    sha256: [
      '569809ccb259d36b405ce1c19d690cc93b9ec0db9d1d43c6f6e29e7dff03b2fb',
      'ca6c23cc89c1e981251b9adb1e6d705e364ff942aee986b12335b36e94281056',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/get_product_details.py',
    sha256: [
      'ef580f722310baa465c842fc0cb77ed25322b72c2438053d91e87d1ea4c735c2',
      '9578fb31b5e092361a5d0e5d4a8e2afe4b8fb4a96d279d031b01266d9b5c768d',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/get_user_details.py',
    sha256: [
      'a517fae6a162a4600b2852c7ea3b90b7564e552c47e06562a028443b464a2124',
      '38b1f75230a2a81a10467415d0501448d119c5dfc09e854513aa57559b2ad9be',
      'f22b59126c2a2aaa102f39dea778653a9298d1902477dd5246509d019318e8d3',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/list_all_product_types.py',
    sha256: [
      '2974d3edba2630aba91eb98e7147a12486cf4341147455749a2fc65122b18aec',
      '63b9f562f893bab36fc6fb91da92978ba9c106f2d6fad88aee3ca20801e4a2e3',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/modify_pending_order_address.py',
    sha256: [
      '0c24844aafc3d1b25ab1fe76a0bc5f1ac348c08dd91fff290ff563380b6bbca7',
      '1461d27cb5f8d4a652617a26005634251221a442a9d99a91e3a8fadb1201787a',
      '8f23d24511078ca10818fac8501db358ad699584952233d696a695e78993d001',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/modify_pending_order_items.py',
    sha256: [
      '483c15ba8e10c8e19a558bd40919b5de43ab8a10e5faf25f3c9eb93357012522',
      'f1a39d42e42c162dc961afa7f1b4d29c73c5a3710a3b9dff318a076213b6c858',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/modify_pending_order_payment.py',
    sha256: [
      '696456fb2456384dcfd2e204d70f5125814601b9332e5d73d2415ba0a875b620',
      '6c2d4c329fae0d66d50bd48cb6ae9520167137f8b20d3385fa407aa5b03d2fe5',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/modify_user_address.py',
    sha256: [
      'af81d731f2a0ad06e41e7cdc62d50e680a48a2e677e9128ba2f8780a6a1088e0',
      '6c16897756d1976f635b756716409bd7780401ba3d4375a76d99e9dc195f8879',
      'b1f8ac2141056ccee668824d6ab124ce659ea3574e7b186b39af3f558c07ac61',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/return_delivered_order_items.py',
    sha256: [
      'af765934681400663e49e258af5322a5ca57d989ff48bee5ce6869fe550caeaf',
      '7d92e8962c17e5fa9c8e3240d21e31fc1adf5e68100c92bb0f67e0a67ea5b7bf',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/think.py',
    sha256: [
      '6f2202ed5fad6ef476c96d269ce8d4c81e07135f9893c4e752ebc7753aaefb58',
      '9d9423922fcdc98578c1d6544f35d28ff155e9a5a172355b662db326ef7eb1fc',
    ],
  },
  {
    path: 'tau_bench/envs/retail/tools/transfer_to_human_agents.py',
    sha256: [
      '1f48503af0b5d07b7abb6f2db69f52ca4b8d8096bc6e86a9fbd697feea007826',
      '2b6d4685da53f72709b28b60e14e1897947ac366bc7ecee6d2b7c7169a3d95a6',
    ],
  },
  {
    path: 'tau_bench/envs/retail/wiki.md',
    sha256: ['d539fd2a46a8b8dd2e934ff9ed92f43e9f6b56bc7a718db8d2803ba8ad8f6bf7'],
  },
  {
    path: 'tau_bench/envs/retail/wiki.py',
    sha256: [
      'ac174825a13b3b1593f049a5982a28292e3fbc6bfed3fc5dbd17b27225260f8c',
      'efaca90439528324fabb991574fc1725c06fdcd88e1eb1983aebede4ba03b9ed',
    ],
  },
  {
    path: 'tau_bench/envs/user.py',
    sha256: [
      '55f9fb45cfa03243754ac7c0c37c2ea6827c140258c2265ff87c303ef72c772d',
      '988e9b456a8be834074af4d3e7c8fcc9639036ff375fb61ab751264deb4a4b1b',
      'b66ae1f2c2baa4d54b95686221c216908969a1546b187bb7d240a15870629318',
      'f420f6b8b3de9c45825e6f233926c558abcc24d2ced653757036892ae8f5b2d1',
      'ca33329b85f0cbdfc15d6ff821f86cf5e1e1a121607ed53d568c1bc1b29768e0',
      'e5e6cf1528ba146c77fcec5ff7d76734ace7b9a854b87f1bdd2fcecf27ace37d',
      '48e2c14bbf8574582238926bb8b0644bfde093f73f6a6aa8ff6a8caa20878d10',
      '1a8b26c4d8e4cd895dc38fb4d28cfb0013356d662d24ad57e079a6af60aed302',
      '353a1450888d57d026e4a333788fc99ac086758a650a325335ed7812ddd6f3ce',
      'f9ecbff6038b9366cb81753bf780cb4f5dc94b85f556c325dbd84a7de8bf0adf',
      'ab24eeed85e6261eb2f45420432d84a390cc39b82fc5910b8a4ccd3cee36f07e',
    ],
  },
  {
    path: 'tau_bench/types.py',
    sha256: [
      '632bda3adf4a1550c2020af782e432a5a0f9c51e8ace12e1abc4cef3019563c9',
      '28a060db8125b64494af9e1e5b0addc786bd7a7ae1292ab1aa037a109fb7781c',
      '7d4ec991071208e09e393feacaee0747ceb9e4e7112124abfd724d794f9086c7',
      '38c2e79f48f9ac87fbdd7bb763c3ef7e8a825cd3de3998f51b12ecf55733b9db',
    ],
  },
];

/** In the order in which each was last seen; the newest is last. */
export const KNOWN_STATES: readonly KnownState[] = [
  {
    versions: '10010011111011011111111111111111111111011101111111111111111111110',
    commits: [
      '6f4b718037db619539b8b692060e6686f3f0dcc9',
      'bcdeb61f0e8d00c546f6b93411c9758712a90f54',
      'fa2a75f295582c1107b4f9206106d12fe7d740fa',
      '8c48def767cd465de44fbb2cefc847e29f0c0d44',
      '7897a1fe744798ca004ad295da2c7c71ca91881b',
      '2aa8fe3a700a082d34c8bb38c0e0990164ba9c94',
    ],
  },
  {
    versions: '10010011111011011111111111111111111111012101111111111111111111110',
    commits: [
      '2d5b2062a2a45e0a6dd39d2f91cfa1ea3d33329b',
      '2fac2db11486984e5c147a1401703503a7299721',
      '2a797d6947a6e7ee85024a90efd55d04d4837c0b',
    ],
  },
  {
    versions: '10010011111011011111111111111111111111013101111111111111111111110',
    commits: [
      'a8f3cf53cc689005eed8cd6436124be36ebdc3c9',
      'c86a7604176864bc590703523e3b3e780cc0169f',
      '8d339ff28afbb9ee8e5f61e3af900c93905f284a',
      '34c217a17150249b2c4a85352649b236a4e1ec8d',
    ],
  },
  {
    versions: '10010011111011011111111111111111111111013101111111111111111111120',
    commits: ['b979943f43bfab4b3f5fca61af031513515f8744'],
  },
  {
    versions: '10010022111011011111111111111111222111013101111111111111111111130',
    commits: [
      '2a6d51f2050418224c6ba72a48465fab61db2401',
      'd68889ca7e042ee62921ff7b741712ef80714936',
      'feae2c94b21c0b06b5e7ab8af8530fdcbfcac20e',
      'da9678c6dced89204e3e2ade4499d06a2c63894d',
    ],
  },
  {
    versions: '10020002111120122222222222222222302111120212222222222222222221241',
    commits: [
      '043b544371757ebb3762b3d02a6675dfe0c41798',
      '60309981ac0c7c29c58d35bcfa0e8368add6b3d4',
      '7ac028e8e0969f2ee72902bbf2c9d74500d9aa7c',
      '9f4e7179cf2f1464d886f4385150650e95a0b8c9',
    ],
  },
  {
    versions: '10010022111011011111111111111111222111014101111111111111111111130',
    commits: ['a6d7002f74b6d02a6dd23409f4ba609161f981b7'],
  },
  {
    versions: '10010022111011011111111111111111222111015101111111111111111111130',
    commits: ['aba6eabe3ef1c42120b9da74c369fc359eabe03d'],
  },
  {
    versions: '10020102111120122222222222222222302111120212222222222222222221241',
    commits: [
      '6fd71403b99e1df57b865f61a935bc215688432a',
      '9ce80973db1938f9a198eded5a9415b8937e8f30',
      '956760247c90cd827c523935c4e685af89d48304',
      'f2eb7a437617d4af5e846f13088f20ac6f94dcc6',
    ],
  },
  {
    versions: '10030202111220122222222222222222402111220212222222222222222221241',
    commits: [
      'fedd157ad2fca4d5ee30e876f8588e5532174d8f',
      '5ac82a0a8d2c5f30f003b2fc1b0a73511d421095',
      '4478caefc76aedea5697f4315c5798795a1ad6c4',
      '034a26763e596e9aae0c994acea58b7a8fac5cdf',
      'bdc816d21256c85bcc2785cad48304c48797c87d',
      '9ea0e30616b17f7660d30131d4f574068d7cadf3',
      'a18cea6e0c4ea7498e24ebc76fc633358eaa6a97',
      '446cc07f11b0656a87e290aacd24fcfad6c895f9',
    ],
  },
  {
    versions: '10040302111220122222222222222222402111220212222222222222222221252',
    commits: ['1d9e0db780f8f30da5ce7ee0a1cd7620d9dc1623', '4a54ffb5de90c046d4f3b8da3c9141a55ca4777e'],
  },
  {
    versions: '10040302111220122222222222222222402111220212222222222222222221262',
    commits: [
      'c9f19c3ed545f6ba22342fc116f2421071662a2d',
      'c5612832f4e02844c1ca7ab5f97a5366269a8ced',
      '6d2a1dddd7200fd54a0a7fefef5d18f00afaf0bc',
      '442b135a61d69c5b191059796b453d246f1a9b9d',
    ],
  },
  {
    versions: '10040302111220122222222222222222502111220212222222222222222221262',
    commits: ['5e203de95702e5752e1c536b093688db66f18a63', 'ab0219290ed4caefeea4b2195dea3f654553b721'],
  },
  {
    versions: '10040302111320122222222222222222602111320212222222222222222221272',
    commits: ['9ae1deab08a241c3e6ccb552f1cb91fba242267c'],
  },
  {
    versions: '10040302111320122222222222222222602111320212222222222222222221282',
    commits: ['5027d7360689232b18652ec4efc8824a2781ac9b', '2401b1b9d23e0fc99c25aec947e91864bd4398be'],
  },
  {
    versions: '10040302111320122222222222222222602111320212222222222222222221292',
    commits: ['a06cb9c0437e9015468bc09f9ff5f934cb22fc91', 'f6a3d81b97c0eaf7ccf639dafaee29dc1ee63565'],
  },
  {
    versions: '100403021113201222222222222222226021113202122222222222222222212a2',
    commits: ['11e597e3d282734d57f3993bc214bdbe1859de69', '81e076f57fed3d93a546e6dbe6b7f0a281366d16'],
  },
  {
    versions: '100403021113201222222222222222226021113202122222222222222222212a3',
    commits: [
      '4727c2ce8ec95f947223622101d2f11d92fe94cb',
      '888a1e82acaa23a2222ef124c23f7e0b6e1140ed',
      '5a50ea533eff12228b80c7d0e6b556e430236d0d',
      'f8aa574c40cdd91eef99809cc3cee831101f331e',
      'a67141c064e993cf5420bf46870334f35736aa2c',
    ],
  },
  {
    versions: '100403021113201222222222222222226021113202122222222222222222212b3',
    commits: [
      '1c9cf190dc54270aceffa56a2575a7a32fcd5f62',
      '977d5205d4900e6e2a5e802fbeadfb0889d45f3a',
      '0ed3bd81bd4821b5da1766c82d115f837c9da71c',
    ],
  },
  {
    versions: '111413021113201222222222222222226021113202122222222222222222212b3',
    commits: [
      'a50b6c11c0080204ebcdb69e2967a81e134821c7',
      '7362a1708d720a4d697d042f21fd8637ea144c3b',
      'b581e61d8c17712b0849473b9956ba58b2c9632b',
      'ee8f7a9be5a63bbb0f69d48b7681d3dfa0060f6a',
      'ed09ea9faae4755258173107218c363358347d32',
    ],
  },
  {
    versions: '100403021113201222222222222222227021113202122222222222222222212b3',
    commits: ['718ffa107a2b26a578851ccb7a5403b02c27f98e'],
  },
  {
    versions: '111413021113201222222222222222227021113202122222222222222222212b3',
    commits: ['67e6b1233828ff112e6df52ff960d7112a0f06bb'],
  },
  {
    versions: '100403021113201222222222222222226021113202222222222222222222212b3',
    commits: ['fbc1c58bcefaf2b6b0ef201ac8761943a12e943e'],
  },
  {
    versions: '111413021113201222222222222222227021113202222222222222222222212b3',
    commits: ['77c01fcd476e25c04eb3d1a359218d5ac2878af6', '3ff5dd35a314ee4ba6d9dfed943d5b960c302e1c'],
  },
  {
    versions: '111413021113201222222222222222227021113202222222222222222222212b4',
    commits: [
      '07191f1b3795919a36474f60f5bcdf8fe6f470ec',
      '5e7f9382a33039811606566aaf32b2e022b78a9f',
      '563b3e6412ac1457963e7266f0fb7d2c33768459',
    ],
  },
  {
    versions: '111413021113201222222222222222227021113202322222222222222222212b3',
    commits: ['cca6acdb24a5fa35e9d6dd5639e3b7d9e554dc8b'],
  },
  {
    versions: '111413021113201222222222222222227021113202422222222222222222212b3',
    commits: ['7dd6d0d3aae2855ed047b01b95fdf851fc0f1bb8'],
  },
  {
    versions: '111413021113201222222222222222227021113202422222222222222222212b4',
    commits: ['e1a16cd7d3c1def0f5471ee4ba28b3321d6170c4'],
  },
  {
    versions: '111413021113201222222222222222227021113202422222222232222222212b4',
    commits: ['c4b38de8045ad3e5884be4fb9f058652520a1c4c', '64ff9b390bf3ce52f8fcbe1bff8463349b8ea471'],
  },
  {
    versions: '111413021113202222222222222222227021113202422222222222222222212b4',
    commits: ['fc90b45f07f238896b53565c7dac3aa66f94a469'],
  },
  {
    versions: '111413021113202222222222222222227021113202422222222232222222212b4',
    commits: ['5c90278d3d78408c7e881d3fad63b8bec4d20db8'],
  },
  {
    versions: '111413021123201222222222222222227021123202522222222222322322212b4',
    commits: ['404f33e83afe1246bef8bda332ba110481c7a631'],
  },
  {
    versions: '111413021123202222222222222222227021123202522222222232322322212b4',
    commits: ['054ae2f0148577744ffc1345e278da48ad978a41'],
  },
  {
    versions: '111413021113201222222222222222227021113202622222222222222222212b4',
    commits: ['4709449e2cd07509046564812db476c3688e2f72'],
  },
  {
    versions: '111413021123202222222222222222227021123202722222222232322322212b4',
    commits: ['d631fa0611711a107ae788a8958957d5d79b34f3'],
  },
  {
    versions: '111413021123202222223222222222227021123202722222222232322322212b4',
    commits: [
      'edad7fc4c292c42a469717815ac35161a63b6802',
      '14bf0ef52e595922d597a38f32d3e8c0dce3a8f8',
      '6f193ff81a7ae06400daef8c1bc20274cb64dcb4',
      'c7656673d299f2e1d2fbddd22e24df6c5632c034',
      '385d1febc79ae74ae0f5e58b3f64a42930bd04e3',
      '9ed9fd9cb776ee4cab8e0cf20d8a92f6a8bd67a9',
    ],
  },
  {
    versions: '111414021123202222223222222222227021123202722222222232322322212b4',
    commits: [
      'a2d3283395d9136223c46171725d39e30def6759',
      '4754e6b406507dbcbce8e8b3855dcf80aaec18ac',
      'e44ef653b577ed2c4884a3c9a44d13e8b2b52b4a',
      '59a200c6d575d595120f1cb70fea53cef0632f6b',
    ],
  },
];
