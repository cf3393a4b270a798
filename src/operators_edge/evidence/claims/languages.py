"""Texts that are not English: whether they speak of checks, admit a failure, or tell of a second run.

Owns tables of word stems, nothing else: where the words cannot be read, the facts decide. Pure.
"""

# ruff: noqa: RUF001 - stems of other languages

from __future__ import annotations

from operators_edge.evidence.claims.parsing import is_english
from operators_edge.text.patterns import pattern

_OF_CHECKS = pattern(
    r"(?i)\b(?:tests?|testes|testet?\w*|testsuite\w*|pruebas?|prueben?|prove|build\w*|bau|lint\w*|suite|ci|pytest|jest|vitest"
    r"|tes|pengujian|testy|testów|testi\w*|testler\w*|kiểm thử|ujian|проверк\w*|тест\w*|сборк\w*|δοκιμ\w*)"
    r"|测试|測試|检查|檢查|构建|編譯|编译|テスト|ビルド|検査|테스트|빌드|검사|परीक्षण|اختبار|בדיק|ทดสอบ"
)
_ADMITS = pattern(
    r"(?i)\b(?:nicht|kein\w*|noch|fehl\w*|fehler\w*|scheiter\w*|rot(?:e|en|er)?|kaputt|offen|bricht|später|teilweise"
    r"|pas|échou\w*|echou\w*|échec\w*|erreurs?|encore|sauf|cass\w*|rouges?|jamais|aucun\w*"
    r"|no|falla\w*|fallan|fallo\w*|todavía|aún|error(?:es)?|rot[ao]s?|salvo|excepto|pendiente\w*|ninguna?"
    r"|não|nao|falh\w*|ainda|erros?|quebrad\w*|pendente\w*|exceto"
    r"|non|fall\w*|ancora|errori?|rott[oaie]|tranne"
    r"|niet|geen|nog|fal(?:en|end|ing)|faalt|falen|kapot|mislukt\w*|rood"
    r"|inte|ikke|ikkje|fel|fejl\w*|feil\w*|misslyck\w*|ännu|endnu|stadig|fortfarande"
    r"|nie|nadal|błęd\w*|czerwon\w*|jeszcze|niepowodz\w*"
    r"|ne|selh\w*|chyb\w*|ještě|zatím|ei(?:vät)?|epäonnist\w*|vielä|nem|hib\w*|még|henüz|değil|başarısız\w*|hata\w*"
    r"|не|нет|ещё|еще|пока|пада\w*|упал\w*|ошиб\w*|провал\w*|красн\w*|сломан\w*|кроме|δεν|αποτυ\w*"
    r"|không|lỗi|chưa|thất bại|belum|gagal|tidak|fail\w*|broken|xfail|skip\w*|error\w*|red)\b"
    r"|失败|失敗|未|没|沒|不|错误|錯誤|报错|仍|除了|部分|待|まだ|ません|ない|エラー|赤|除い|一部|落ち"
    r"|실패|아직|않|못|오류|에러|제외|일부|विफल|नहीं|ล้มเหลว|ไม่|\b(?:فشل\w*|لم|لا|נכשל\w*|לא)\b"
)
_FAULTLESS = pattern(
    r"(?i)\b(?:fehlerfrei\w*|fehlerlos\w*|(?:ohne|keine) fehler|sans (?:aucune )?erreurs?"
    r"|sin (?:ningún )?error(?:es)?"
    r"|sem erros?|senza errori|zonder fouten|bez błędów|без ошибок|hatasız\w*|u[dt][ea]n fe[jl]l?)\b"
    r"|没有错误|无错误|沒有錯誤|エラーなし|オールグリーン|오류 없이"
)
_COUNT = pattern(r"\b(\d+)\s*(?:/|von|de|sur|из|of)\s*(\d+)\b")


def says_checks_pass(text: str) -> bool:
    """Whether a text that is not English speaks of checks and admits no failure."""
    if not text.strip() or is_english(text) or not _OF_CHECKS.search(text):
        return False
    is_part = any(int(one) < int(all_) for one, all_ in _COUNT.findall(text))
    return not is_part and _ADMITS.search(_FAULTLESS.sub(" ", text)) is None


_AGAIN = (
    r"(?:(?:beim|im) (?:zweit|dritt|nächst|erneut|wiederholt)\w+ (?:mal|versuch|lauf|durchlauf|anlauf)"
    r"|(?:au|à la|lors d\w+) (?:deuxième|second|seconde|nouvel|nouvelle) \w+|à la relance|en relançant"
    r"|(?:al|a la|en el|en la) (?:segund[oa]|siguiente) \w+|(?:na|à|numa) segunda \w+|ao repetir"
    r"|al(?:la)? second[oa] \w+|bij de tweede \w+|со второго раза|при повторном \w+|при перезапуске"
    r"|第二次\w{0,4}|重跑|重新运行|重試|重试|再実行|二回目|2回目|다시 실행|두 번째)"
)
_WELL = (
    r"(?:grün|durchgelaufen|lie?f\w* durch|bestand\w*|erfolgreich|geklappt|pass[ée]\w*|réussi\w*|vert\w*"
    r"|pas(?:ó|aron|an?|ou|aram|sa|sato|sati|sano)\b|verde\w*|bien|geslaagd|groen|прош\w*|успешн\w*|зел\w*"
    r"|通过|通過|成功|通った|通りました|통과|성공)"
)
_PASSED_AGAIN = pattern(rf"(?i){_AGAIN}[^.;。]{{0,30}}{_WELL}|{_WELL}[^.;。]{{0,20}}{_AGAIN}")
_WISHED = pattern(
    r"(?i)\b(?:bitte|soll\w*|müss\w*|muss|wenn|falls|würde|nicht|devrait|doit|si|pas|debe\w*|debería|no|deve\w*"
    r"|não|non|moet\w*|niet|должн\w*|если|не)\b|应该|應該|如果|没|未|べき|ない|ません|않|못"
)


def says_passed_again(text: str) -> bool:
    """Whether it says, in another language than English, that what failed was run once more and passed."""
    return any(
        _PASSED_AGAIN.search(each) and not _WISHED.search(each) for each in _SENTENCES.split(text)
    )


_SENTENCES = pattern(r"[.;!?\n]\s|[。；！？]")

# end of module
