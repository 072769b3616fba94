"""English words with the character that a Hong Kong sign would use for them (traditional forms)."""

from citysim.build.procedural.naming.words import pairs

ROOTS = pairs("""
    Crane=鶴 Lantern=燈 Lotus=蓮 Pearl=珠 Dragon=龍 Phoenix=鳳 Jade=玉 Bamboo=竹 Orchid=蘭 Plum=梅 Pine=松 Willow=柳
    Maple=楓 Tiger=虎 Stallion=馬 Carp=鯉 Swallow=燕 Oriole=鶯 Falcon=鷹 Turtle=龜 Deer=鹿 Buffalo=牛 Rabbit=兔
    Monkey=猴 Rooster=雞 Whale=鯨 Seashell=貝 Wave=浪 Tide=潮 Island=島 River=河 Fountain=泉 Brook=溪 Lake=湖 Cloud=雲
    Rain=雨 Snow=雪 Breeze=風 Thunder=雷 Moon=月 Sunrise=曉 Star=星 Copper=銅 Iron=鐵 Stone=石 Summit=峰 Forest=林
    Meadow=田 Valley=谷 Archway=門 Pagoda=塔 Palace=宮 Courtyard=院 Sampan=舟 Sail=帆 Bell=鐘 Drum=鼓 Flute=笛 Mirror=鏡
    Umbrella=傘 Silk=絲 Inkstone=墨 Brush=筆 Scroll=卷 Honey=蜜 Ginger=薑 Orange=橙 Peach=桃 Lychee=荔 Apricot=杏
    Chestnut=栗 Melon=瓜 Amber=珀 Crystal=晶 Feather=羽 Arrow=箭 Crown=冠 Banner=旗 Wheel=輪 Anchor=錨 Dolphin=豚
    Magpie=鵲 Peacock=雀 Elephant=象 Camphor=樟 Banyan=榕 Jasmine=茉 Kapok=棉 Harvest=禾 Kettle=壺 Cinnabar=朱 Ferry=渡
    Compass=羅 Needle=針 Ladder=梯 Kite=鳶 Firefly=螢 Cicada=蟬 Sparrow=雁 Heron=鷺 Papaya=木 Tangerine=柑 Lemon=檸
    Rainbow=虹 Horizon=天 Voyage=航 Victory=勝 Wisdom=智
""")
MODIFIERS = pairs("""
    Great=大 Little=小 New=新 Old=老 Eastern=東 Western=西 Southern=南 Northern=北 Golden=金 Silver=銀 Red=紅 Green=綠
    Blue=藍 White=白 Purple=紫 Bright=明 Happy=喜 Lucky=吉 Double=雙 Nine=九 Seven=七 Three=三 Five=五 Long=長 Flying=飛
    Singing=鳴 Vernal=春 Autumn=秋 Summer=夏 Winter=冬 Tranquil=安 Joyful=樂 Noble=貴 Clear=清 Fragrant=香 Royal=皇
    Marine=海 Eternal=永 Mighty=威 Gentle=和 Grand=宏 Upper=上 Hidden=隱 Swift=快 Radiant=輝
""")
LUCK = "華安和平興隆昌盛德仁義康寧福祥泰"
STREETS = pairs("""
    Road=道 Street=街 Lane=里 Steps=階 Terrace=臺 Path=徑 Square=廣場 Park=公園 Garden=花園 Promenade=海濱 Bridge=橋
    Footbridge=天橋 Subway=隧道 Escalator=扶梯 Pier=碼頭 Market=街市 Station=站 Court=閣 Estate=邨 Building=大廈
    Mansion=大廈 House=樓 Tower=大廈 Centre=中心 Plaza=廣場 Alley=巷 Drive=徑 Rise=坡 Hill=山 Avenue=大道
""")
SHOP = "記"  # ends the name of a shop that is called after one thing
SIGNS = "巴士站 電車站 的士 出口 往 樓 街 號 停 營業中 新鮮 特價 大減價 海鮮 茶 押"
