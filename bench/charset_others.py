"""More texts for the charset cases, nearly all in other languages: what each page is written in, and what is said of it."""

from typing import Final

TEXTS: Final = {
    "mt": (
        "Il-baħar kien kalm dakinhar filgħodu, u n-nisa fuq il-moll kienu jgħoddu l-qlugħ kif kienu jagħmlu għal mitt"
        " sena. Ħadd ma tkellem qabel ma għaddiet l-aħħar dgħajsa mill-fanal."
    ),
    "eo": (
        "La maro estis trankvila tiun matenon, kaj la virinoj sur la kajo kalkulis la velojn, kiel ili faris dum cent"
        " jaroj. Neniu parolis antaŭ ol la lasta ŝipo preterpasis la lumturon, ĉar tiel oni ĉiam faris ĝin."
    ),
    "cy": (
        "Roedd y môr yn dawel y bore hwnnw, ac roedd y merched ar y cei yn cyfri'r hwyliau fel y gwnaethant ers can "
        "mlynedd. Ni siaradodd neb cyn i'r cwch olaf fynd heibio i'r goleudy, a dŵr y môr yn llonydd fel gwydr; tŷ ar"
        " ôl tŷ yn ŵyl i gyd."
    ),
    "be": (
        "У тую раніцу мора было ціхае, і жанчыны на прыстані лічылі ветразі, як яны рабілі гэта ўжо сто гадоў. Ніхто "
        "не гаварыў, пакуль апошняя лодка не прайшла міма маяка, бо так было заўсёды."
    ),
    "mk": (
        "Морето беше мирно тоа утро, а жените на кејот ги броеја едрата како што правеа веќе сто години. Никој не "
        "зборуваше пред последниот чамец да помине покрај светилникот, зашто така било отсекогаш."
    ),
    "sq": (
        "Deti ishte i qetë atë mëngjes dhe gratë në mol numëronin velat, siç kishin bërë për njëqind vjet. Askush nuk"
        " foli para se varka e fundit të kalonte pranë farit, sepse kështu kishte qenë gjithmonë."
    ),
    "yue": (
        "嗰日朝早個海好平靜，碼頭嗰啲女人喺度數緊船帆，好似佢哋一百年嚟咁樣做。"
        "最後一隻船經過燈塔之前，冇人出聲，因為從來都係咁嘅，冇變過。"
    ),
    "kk": (
        "Сол күні таңертең теңіз тынық болды, ал жағадағы әйелдер жүз жыл бойы істегеніндей желкендерді санап тұрды. "
        "Соңғы қайық шамшырақтан өткенше ешкім сөйлемеді, өйткені әрқашан солай болған."
    ),
    "ur": (
        "اس صبح سمندر پرسکون تھا اور گھاٹ پر کھڑی عورتیں بادبان گن رہی تھیں جیسا کہ وہ سو سال سے کرتی آئی تھیں۔ آخری "
        "کشتی کے مینار سے گزرنے سے پہلے کوئی نہ بولا۔"
    ),
    "az": "O səhər dəniz sakit idi və körpüdəki qadınlar yelkənləri sayırdılar.",
    "hu": (
        "A tenger csendes volt azon a reggelen, és az asszonyok a rakparton számolták a vitorlákat, ahogy száz éve "
        "tették. Senki sem szólt, míg az utolsó hajó el nem ment a világítótorony előtt, mert mindig is így volt."
    ),
    "ko": (
        "그날 아침 바다는 고요했고 부두의 여자들은 백 년 동안 그래 왔듯이 돛을 세고 있었다. "
        "마지막 배가 등대를 지나갈 때까지 아무도 말을 하지 않았다. 언제나 그랬기 때문이다."
    ),
    "th": (
        "เช้าวันนั้นทะเลสงบ และผู้หญิงบนท่าเรือนับใบเรืออย่างที่พวกเธอทำมาร้อยปี "
        "ไม่มีใครพูดจนกว่าเรือลำสุดท้ายจะผ่านประภาคารไป เพราะมันเป็นอย่างนั้นเสมอมา"
    ),
    "is": (
        "Hafið var kyrrt þennan morgun og konurnar á bryggjunni töldu seglin eins og þær höfðu gert í hundrað ár. "
        "Enginn sagði orð fyrr en síðasti báturinn var kominn fram hjá vitanum, því að þannig hafði það alltaf verið."
    ),
}
# Language, codec, what the header says, what the page says.
SAID: Final = (
    ("mt", "iso8859_3", "", "iso-8859-3"),
    ("mt", "iso8859_3", "latin3", "latin3"),
    ("eo", "iso8859_3", "latin3", ""),
    ("cy", "iso8859_14", "", "iso-8859-14"),
    ("is", "cp1252", "", "utf-8"),
    ("be", "cp1251", "", ""),
    ("be", "iso8859_5", "", ""),
    ("be", "iso8859_5", "", "windows-1251"),
    ("mk", "cp1251", "ISO-8859-1", ""),
    ("mk", "cp1251", "", "windows-1252"),
    ("sq", "mac_roman", "", ""),
    ("yue", "big5hkscs", "", "big5"),
    ("yue", "big5hkscs", "", "gb2312"),
    ("ko", "cp949", "", ""),
    ("ko", "euc_kr", "", "utf-8"),
    ("hu", "cp1250", "", "iso-8859-1"),
    ("th", "tis_620", "tis-620", ""),
    ("th", "tis_620", "", ""),
    ("kk", "utf-8", "", "windows-1251"),
    ("ur", "utf-8", "", "windows-1256"),
    ("az", "utf-8", "iso-8859-9", ""),
    ("cy", "utf_16_le", "utf-16le", ""),
)
