"""Romanised roots with the characters that a Tokyo sign would use for them."""

from citysim.build.procedural.naming.words import pairs

ROOTS = pairs("""
    Hikari=光 Hoshizora=星空 Harukaze=春風 Yukimi=雪見 Aozora=青空 Umibe=海辺 Kawase=川瀬 Komorebi=木洩 Hanabi=花火
    Sakuragi=桜木 Umeda=梅田 Matsukaze=松風 Takemori=竹森 Tsuruhashi=鶴橋 Kamezo=亀蔵 Takamine=高峰 Kitsune=狐 Tanuki=狸
    Nekomata=猫又 Torano=虎野 Ryujin=竜神 Ishizue=礎 Iwato=岩戸 Tetsujin=鉄人 Ginga=銀河 Akane=茜 Midori=緑 Murasaki=紫
    Shirogane=白銀 Kurogane=黒鉄 Yuhi=夕日 Tsukiyo=月夜 Kumoi=雲居 Amagasa=雨傘 Raijin=雷神 Namiki=並木 Minato=港
    Shimaya=島屋 Yamabiko=山彦 Tanigawa=谷川 Kazahana=風花 Sakamichi=坂道 Kakehashi=架橋 Kagami=鏡 Suzuran=鈴蘭
    Taiko=太鼓 Fuefuki=笛吹 Hotaru=蛍 Tsubame=燕 Suzume=雀 Kamome=鴎 Hatozo=鳩三 Koinobori=鯉 Kaede=楓 Momiji=紅葉
    Yanagi=柳 Sugiura=杉浦 Kikuno=菊野 Tsubaki=椿 Denpa=電波 Kairo=回路 Musen=無線 Dengeki=電撃 Shinkai=深海 Uchu=宇宙
    Mirai=未来 Kodama=木霊 Zenmai=発条 Haguruma=歯車 Tokei=時計 Basho=芭蕉 Ringo=林檎 Mikazuki=三日月 Inazuma=稲妻
    Ryusei=流星 Kujaku=孔雀 Hayabusa=隼 Fukuro=梟 Iruka=海豚 Kujira=鯨 Tombo=蜻蛉 Mahoro=真秀 Yumemi=夢見 Asagao=朝顔
    Kohaku=琥珀 Shinju=真珠 Sumire=菫 Botan=牡丹 Wakaba=若葉 Aomori=青森
""")
MODIFIERS = pairs("""
    Shin=新 Higashi=東 Nishi=西 Minami=南 Kita=北 Chuo=中央 Daini=第二 Moto=元 Super=超 Giga=巨 Neo=新 Oku=奥
    Honten=本店 Maru=丸 Yorozu=万 Tokkyu=特急 Goku=極 Toki=時 Hachi=八 Nana=七 Juban=十番 Senri=千里
""")
STREETS = pairs("""
    Dori=通り Yokocho=横丁 Hiroba=広場 Station=駅 Koen=公園 Bridge=橋 Arcade=横町 Bldg=ビル Deck=歩道橋 Zaka=坂 Tower=塔
    Kaikan=会館 Square=広場 Park=公園 Lane=小路 Viaduct=高架下
""")
SIGNS = "駅前 出口 階 営業中 電気街 免税 激安 本日 自転車 止まれ 禁煙 新発売 珈琲 大特価"
