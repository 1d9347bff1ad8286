"""Short texts in 28 languages, written for the charset cases, and the legacy encodings that pages in them are found in.

Codecs are Python's. A text has three sentences, of which the first alone makes a short page.
"""

from typing import Final, NamedTuple


class Sample(NamedTuple):
    codecs: tuple[str, ...]
    text: str


SAMPLES: Final = {
    "de": Sample(
        ("cp1252", "iso8859_15", "mac_roman"),
        "Der Weberknecht läuft auf acht dünnen Beinen über die Mauer. Im Spätsommer hört man nachts nur Grillen, "
        "während größere Tiere längst schlafen. Müde Gäste trinken draußen süßen Kräutertee.",
    ),
    "fr": Sample(
        ("cp1252", "iso8859_15", "mac_roman"),
        "L'été dernier, les élèves ont découvert une forêt très ancienne près de la rivière. La mère de Zoé préparait "
        "déjà le dîner, et son frère aîné réparait la clôture abîmée. À côté, un chêne célèbre étendait ses branches.",
    ),
    "es": Sample(
        ("cp1252",),
        "El niño pequeño soñaba con montañas lejanas y ríos de aguas frías. Según la tradición, mañana comenzará la "
        "celebración más importante del año. ¿Quién podría decir que no habrá música en el jardín?",
    ),
    "pt": Sample(
        ("cp1252",),
        "A população da região não tinha água nem condições para a produção de pão. As crianças também não vão à escola "
        "às terças. Três irmãos construíram então uma ponte sólida, e a situação já é outra.",
    ),
    "pl": Sample(
        ("cp1250", "iso8859_2"),
        "Późną jesienią śnieg leżał już na łąkach, a żaby dawno spały. Mój dziadek co wieczór opowiadał, jak pięć lat "
        "chodził pieszo do szkoły w mieście. Później wszyscy zjedli gorącą zupę i poszli się położyć.",
    ),
    "cs": Sample(
        ("cp1250", "iso8859_2"),
        "Příliš dlouhá cesta vedla přes zelené kopce až k řece. Večer jsme si dali čaj s medem a poslouchali déšť, který "
        "bubnoval na střechu. Malý chlapec se ptal, proč ještě nejsou hvězdy vidět.",
    ),
    "hu": Sample(
        ("cp1250", "iso8859_2"),
        "A kertben tegnap három öreg körtefa dőlt ki a viharban. Nagyapám szerint rég nem volt ekkora szél errefelé, és "
        "a tetőről is lehullott néhány cserép. Délután azonban újra sütött a nap, és a gyerekek kimentek játszani.",
    ),
    "ro": Sample(
        ("cp1250", "iso8859_16"),
        "În fiecare dimineață bătrânul își plimbă câinele pe lângă râu. Copiii învață să înoate, iar mamele îi privesc "
        "de pe mal. Mai târziu, când se întunecă, toată lumea se întoarce acasă.",
    ),
    "hr": Sample(
        ("cp1250", "iso8859_2"),
        "Šuma iza kuće bila je tiha, samo se čuo žubor potoka. Djevojčica je tražila svoju mačku koja je pobjegla još "
        "jučer. Na kraju ju je našla u staroj šupi, među vrećama punim kukuruza.",
    ),
    "sl": Sample(
        ("cp1250",),
        "Včeraj smo šli čez hrib do jezera, kjer še živijo žabe. Zvečer je začelo deževati in vsi so hiteli domov. "
        "Naša babica pravi, da bo jutri spet sončno in toplo.",
    ),
    "ru": Sample(
        ("cp1251", "koi8_r", "iso8859_5", "cp866", "mac_cyrillic"),
        "Вечером мы долго сидели у реки и слушали, как шумит старая мельница. Утром дед рассказал нам, что раньше здесь "
        "жили рыбаки. Теперь на берегу стоят новые дома, но вода всё такая же холодная.",
    ),
    "uk": Sample(
        ("cp1251", "koi8_u"),
        "Увечері ми їхали додому повз поле, де вже достигала пшениця. Її запах нагадував мені дитинство і бабусину хату. "
        "Зранку ґава сіла на тин і довго дивилася на наших курей.",
    ),
    "bg": Sample(
        ("cp1251",),
        "Преди много години в това село имаше само една къща и една стара чешма. Хората идваха тук да си наливат студена "
        "вода през лятото. Сега пътят е нов, но чешмата още стои под големия орех.",
    ),
    "sr": Sample(
        ("cp1251", "iso8859_5"),
        "Његова кућа стоји на крају села, одмах поред старе цркве. Свако јутро долази мачка и чека да јој неко изнесе млеко. "
        "Деца се после школе играју у шуми, а увече слушају приче о људима који су ту живели.",
    ),
    "el": Sample(
        ("cp1253", "iso8859_7"),
        "Το καλοκαίρι πηγαίναμε κάθε μέρα στη θάλασσα με τα ποδήλατα. Η γιαγιά μας έφτιαχνε πίτα και μας περίμενε στην "
        "αυλή. Τώρα το σπίτι είναι κλειστό, αλλά ο κήπος είναι ακόμη γεμάτος λουλούδια.",
    ),
    "tr": Sample(
        ("cp1254",),
        "Küçük köyün arkasındaki dağda eski bir değirmen vardı. Çocuklar öğleden sonra oraya gider, akşama kadar oyun "
        "oynardı. Şimdi yalnızca birkaç taş kaldı, fakat ırmağın sesi hâlâ aynı.",
    ),
    "he": Sample(
        ("cp1255", "iso8859_8"),
        "בכל בוקר הזקן הולך לאורך הנחל עם הכלב שלו. הילדים לומדים לשחות והאמהות מסתכלות עליהם מן הגדה. "
        "אחר כך, כאשר מחשיך, כולם חוזרים הביתה ואוכלים ארוחת ערב ביחד.",
    ),
    "ar": Sample(
        ("cp1256", "iso8859_6"),
        "كان الرجل العجوز يمشي كل صباح على ضفة النهر مع كلبه. وكان الأطفال يتعلمون السباحة بينما تنظر إليهم الأمهات من "
        "بعيد. وعندما يأتي المساء يعود الجميع إلى البيت ويأكلون العشاء معا.",
    ),
    "lt": Sample(
        ("cp1257", "iso8859_13"),
        "Kiekvieną rytą senelis eina palei upę su savo šunimi. Vaikai mokosi plaukti, o jų motinos žiūri nuo kranto. Vėliau, "
        "kai sutemsta, visi grįžta namo ir valgo šiltą vakarienę.",
    ),
    "lv": Sample(
        ("cp1257", "iso8859_13"),
        "Katru rītu vectēvs iet gar upi ar savu suni. Bērni mācās peldēt, bet mātes skatās uz viņiem no krasta. Vēlāk, kad "
        "kļūst tumšs, visi atgriežas mājās un ēd siltas vakariņas.",
    ),
    "et": Sample(
        ("cp1257", "cp1252"),
        "Igal hommikul kõnnib vanaisa oma koeraga jõe ääres. Lapsed õpivad ujuma ja emad vaatavad neid kaldalt. Hiljem, kui "
        "läheb pimedaks, tulevad kõik koju tagasi ja söövad sooja õhtusööki.",
    ),
    "vi": Sample(
        ("cp1258",),
        "Mỗi buổi sáng ông cụ đi dọc bờ sông với con chó của mình. Trẻ em học bơi còn các bà mẹ đứng nhìn từ trên bờ. Khi trời "
        "tối, mọi người trở về nhà và cùng nhau ăn cơm.",
    ),
    "th": Sample(
        ("cp874",),
        "ทุกเช้าชายชราเดินเลียบแม่น้ำกับสุนัขของเขา เด็กๆ หัดว่ายน้ำในขณะที่แม่ของพวกเขามองดูอยู่บนฝั่ง "
        "เมื่อถึงเวลาเย็นทุกคนก็กลับบ้านและกินข้าวด้วยกัน",
    ),
    "zh-hans": Sample(
        ("gb18030", "gb2312"),
        "每天早上，老人带着他的狗沿着河边散步。孩子们在水里学习游泳，母亲们站在岸上看着他们。"
        "天黑以后，大家一起回家吃晚饭，然后听爷爷讲从前的故事。",
    ),
    "zh-hant": Sample(
        ("big5",),
        "每天早上，老人帶著他的狗沿著河邊散步。孩子們在水裡學習游泳，母親們站在岸上看著他們。"
        "天黑以後，大家一起回家吃晚飯，然後聽爺爺講從前的故事。",
    ),
    "ja": Sample(
        ("cp932", "euc_jp", "iso2022_jp"),
        "毎朝、おじいさんは犬を連れて川のそばを散歩します。子どもたちは水の中で泳ぎ方を習い、母親たちは岸から見ています。"
        "暗くなると、みんなで家に帰って晩ごはんを食べます。",
    ),
    "ko": Sample(
        ("cp949",),
        "매일 아침 할아버지는 개를 데리고 강가를 산책합니다. 아이들은 물속에서 수영을 배우고 어머니들은 강둑에서 바라봅니다. "
        "날이 어두워지면 모두 집으로 돌아가서 함께 저녁을 먹습니다.",
    ),
    "is": Sample(
        ("cp1252",),
        "Á hverjum morgni gengur gamli maðurinn með hundinn sinn meðfram ánni. Börnin læra að synda og mæður þeirra horfa á "
        "þau frá bakkanum. Þegar dimmir fara allir heim og borða saman.",
    ),
}  # fmt: skip
